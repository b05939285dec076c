"""WebSocket bytes by hand, for what no library would send, and one client for the calls."""

import os
import socket
import struct
import time
from pathlib import Path

import httpx

http = httpx.Client(verify=False, timeout=60, trust_env=False)
"""For all calls of a test run; a client for each would read the certificates of the system anew."""

TEXT, BINARY, PING, FIN = 1, 2, 9, 0x80


def frame(payload, head=FIN | TEXT, length=None):
    """A masked frame. head: its first byte; length: the length that it claims, else its own."""
    claimed = len(payload) if length is None else length
    if claimed < 126:
        size = bytes([0x80 | claimed])
    elif claimed < 2**16:
        size = b"\xfe" + struct.pack("!H", claimed)
    else:
        size = b"\xff" + struct.pack("!Q", claimed)
    return bytes([head]) + size + bytes(4) + payload


def dial(base):
    """A TCP connection to a server."""
    return socket.create_connection(("127.0.0.1", int(base.rpartition(":")[2])), timeout=60)


def upgrade(base, *lines):
    """A connection after the handshake, and the head of the answer. lines: further ones of the request."""
    connection = dial(base)
    usual = (
        *("GET /ws HTTP/1.1", f"Host: {base.partition('//')[2]}", "Upgrade: websocket", "Connection: Upgrade"),
        *("Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==", "Sec-WebSocket-Version: 13"),
    )
    connection.sendall("\r\n".join([*usual, *lines, "", ""]).encode())
    head = b""
    while b"\r\n\r\n" not in head:
        part = connection.recv(1)
        assert part, head
        head += part
    return connection, head.decode()


def close_code(connection, seconds=60):
    """The code with which the server closes, after whatever it says before; 0 for no code, None for no close."""
    connection.settimeout(seconds)
    told, until = b"", time.monotonic() + seconds
    try:
        while time.monotonic() < until and (part := connection.recv(65_536)):
            told += part
    except TimeoutError:
        return None
    except ConnectionError:
        pass
    while told:
        head, size = told[0], told[1] & 0x7F
        start = 2 if size < 126 else 4 if size == 126 else 10
        size = size if size < 126 else int.from_bytes(told[2:start], "big")
        if head & 0x0F == 8:
            return int.from_bytes(told[start : start + 2], "big")
        told = told[start + size :]
    return 0


def resident():
    """Bytes of memory that this process has in use."""
    return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
