"""How long `bobing score` takes from nothing, as a multiple of `python -c pass` measured in the same run.

Method: processor time (user and system) of a whole process, the two commands in turn, the median of 21 pairs after one
pair to warm the disk cache and to have all modules compiled. Aim: at most 6.
"""

import os
import platform
import resource
import statistics
import subprocess
import sys
from pathlib import Path

PAIRS = 21
AIM = 6
BARE = [sys.executable, "-c", "pass"]
SCORE = [str(Path(sys.executable).with_name("bobing")), "score", "444411"]
ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def seconds(command):
    """The processor time of one process that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=ENV)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    pairs = [(seconds(BARE), seconds(SCORE)) for _ in range(PAIRS + 1)][1:]
    bare, score = (statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"python -c pass      {bare * 1000:6.1f} ms")
    print(f"bobing score        {score * 1000:6.1f} ms")
    print(f"ratio               {score / bare:6.2f}     (aim: at most {AIM})")
    print(f"machine             Python {platform.python_version()}, {platform.machine()}, {platform.system()}")
    return int(score > AIM * bare)


if __name__ == "__main__":
    sys.exit(main())
