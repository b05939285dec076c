"""A process that appends to a log and says on its standard output what it sends and what was acknowledged.

`python -m support.appender URL LIFE APPENDS` appends so often on each of eight streams, all at once; each command has
the name LIFE.NUMBER and is sent once. Lines, each written before the next thing is done: `sent STREAM CMD`,
`kept STREAM CMD N`, `lost STREAM CMD` for NotSaved, `refused STREAM CMD CODE` for anything else. With a further word
`die` it appends on one stream and falls dead at the first NotSaved, without another word to the disk.
"""

import asyncio
import os
import sys

from bobing.adapters import open_log
from bobing.ports import LogError, NewEntry, NotSaved

DEAD = 9
STREAMS = tuple(f"S{i}" for i in range(8))


def tell(*words):
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def body(stream, cmd):
    return f"{stream} {cmd} ".encode() * 20


async def append(log, stream, life, appends):
    heads = dict(await log.streams(stream))
    head = heads.get(stream, 0)
    for i in range(appends):
        cmd = f"{life}.{i}"
        tell("sent", stream, cmd)
        try:
            (entry,) = await log.append(stream, head, [NewEntry(cmd, i, "seat/0", body(stream, cmd))])
        except NotSaved:
            tell("lost", stream, cmd)
            if "die" in sys.argv:
                os._exit(DEAD)
            continue
        except LogError as refused:
            tell("refused", stream, cmd, refused.code)
            continue
        head = entry.n
        tell("kept", stream, cmd, entry.n)


async def main(url, life, appends):
    log = open_log(url)
    streams = STREAMS[:1] if "die" in sys.argv else STREAMS
    await asyncio.gather(*(append(log, stream, life, appends) for stream in streams))
    await log.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
