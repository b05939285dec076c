"""A server process without sockets that races others for the last prize of each table.

`python -m support.racer URL CODE...`: for each table, as soon as a line comes in on standard input, the process tries
to take the last prize for the seat whose turn it is, and says `won`, or the code of the refusal.
"""

import asyncio
import secrets
import sys

from bobing.adapters import open_log
from bobing.adapters.system import SystemClock, SystemDice
from bobing.server.host import Host
from bobing.server.metrics import Metrics
from bobing.wire import messages as wire


async def main(url, codes):
    host = Host(open_log(url), SystemDice(), SystemClock(), Metrics())
    for code in codes:
        await host.table(code)
    print("ready", flush=True)
    for code in codes:
        await asyncio.to_thread(sys.stdin.readline)
        n = host.tables[code].room.n
        act = wire.Do(cmd=secrets.token_urlsafe(16), at=n, act={"seat": 0, "roll": "412355"})
        answer = await host.command(code, act, wire.You(role="host"), secrets.token_hex(8))
        print("won" if isinstance(answer, wire.Ack) else answer.code, flush=True)
    await host.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
