/* The least a room can cost: one thread, epoll, no library. Each message of any socket goes out to all as one frame.
 *
 * floor PORT BYTES ROOM: answers a WebSocket handshake with the fixed key of RFC 6455, then sends BYTES of text to all of
 * a room for every frame that comes in from it. The first ROOM sockets that open are a room, the next ROOM another.
 * Frames of clients are short and come in whole on a loopback.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static const char ANSWER[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
enum { SOCKETS = 4096 };
static int open_sockets[SOCKETS], opened[SOCKETS], first[SOCKETS], count;

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  int size = atoi(argv[2]), room = atoi(argv[3]), one = 1, listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
  if (bind(listener, (struct sockaddr *)&here, sizeof here) || listen(listener, 1024)) return 1;
  unsigned char *frame = malloc(size + 4), in[65536];
  frame[0] = 0x81, frame[1] = 126, frame[2] = size >> 8, frame[3] = size & 255;
  memset(frame + 4, 'x', size);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[256];
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    int n = epoll_wait(poll, ready, 256, -1);
    for (int i = 0; i < n; i++) {
      int from = ready[i].data.fd;
      if (from == listener) {
        int socket = accept(listener, 0, 0);
        if (socket < 0 || socket >= SOCKETS) return 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        event.data.fd = socket;
        epoll_ctl(poll, EPOLL_CTL_ADD, socket, &event);
        continue;
      }
      int got = read(from, in, sizeof in);
      if (got <= 0) return 0; /* the measurement is over */
      if (!opened[from]) {
        opened[from] = 1, first[from] = count / room * room, open_sockets[count++] = from;
        if (write(from, ANSWER, sizeof ANSWER - 1) < 0) return 1;
        continue;
      }
      for (int at = 0; at + 6 <= got;) {
        int length = in[at + 1] & 127, head = length == 126 ? 8 : 6;
        unsigned char *mask = in + at + head - 4, *text = in + at + head;
        if (length == 126) length = in[at + 2] << 8 | in[at + 3];
        for (int k = 0; k < length; k++) text[k] ^= mask[k & 3];
        for (int k = first[from]; k < count && k < first[from] + room; k++)
          if (write(open_sockets[k], frame, size + 4) < 0) return 1;
        at += head + length;
      }
    }
  }
}
