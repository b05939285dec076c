/* The least a durable append can cost: so many bytes written behind each other to a file, each synced.
 *
 * floor KIND BYTES TIMES FILE: prints the processor time of one in µs, user and system. KIND: `there`, the file has been
 * written to its end before; `grows`, it has not; `dsync`, as `there`, but each write syncs itself (O_DSYNC).
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static double spent(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 + used.ru_utime.tv_usec + used.ru_stime.tv_usec;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int grows = !strcmp(argv[1], "grows"), dsync = !strcmp(argv[1], "dsync"), size = atoi(argv[2]), times = atoi(argv[3]);
  int file = open(argv[4], O_RDWR | O_CREAT | O_TRUNC, 0600);
  char *bytes = calloc(1, size);
  for (int i = 0; i < times && !grows; i++)
    if (write(file, bytes, size) != size) return 1;
  if (fsync(file) || close(file)) return 1;
  file = open(argv[4], O_RDWR | (dsync ? O_DSYNC : 0));
  double begun = spent();
  for (int i = 0; i < times; i++)
    if (pwrite(file, bytes, size, (off_t)i * size) != size || (!dsync && fdatasync(file))) return 1;
  printf("%.1f\n", (spent() - begun) / times);
  return 0;
}
