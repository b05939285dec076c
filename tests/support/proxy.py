"""The proxy of deploy/ before servers of this machine, over TLS as people reach it: with Caddy of the system."""

import os
import shutil
import subprocess
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import httpx

from cli.test_serve import environment
from support.services import free_port

CADDY = shutil.which("caddy") or ""
FILE = Path(__file__).parents[2] / "deploy" / "Caddyfile"
WAIT_S = 60
OURS = "{\n\tadmin off\n\tskip_install_trust\n\thttp_port %d\n}\n"
"""What Caddy is told beside the file: to leave this machine's trust and its port 80 alone."""


@contextmanager
def proxied(ports, folder, address):
    """The proxy at an address of this machine, before servers at these ports; given is its address for plain http.

    For an address that no public authority signs it is its own, which whoever is in the block trusts.
    """
    text = FILE.read_text("utf-8")
    for number, port in enumerate(ports, 1):
        assert f"worker{number}:8063" in text
        text = text.replace(f"worker{number}:8063", f"127.0.0.1:{port}")
    plain = free_port()
    (folder / "Caddyfile").write_text(OURS % plain + text)
    words = [CADDY, "run", "--config", folder / "Caddyfile", "--adapter", "caddyfile"]
    told = environment(BOBING_PUBLIC_URL=address, HOME=str(folder), XDG_DATA_HOME="", XDG_CONFIG_HOME="")
    root = folder / ".local/share/caddy/pki/authorities/local/root.crt"
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=told) as caddy:
        try:
            until = time.monotonic() + WAIT_S
            while not root.exists() or not root.stat().st_size:
                assert caddy.poll() is None, f"Caddy ended with {caddy.returncode}"
                assert time.monotonic() < until, "Caddy makes no authority"
                time.sleep(0.05)
            with patch.dict(os.environ, SSL_CERT_FILE=str(root)):
                yield f"http://{urlsplit(address).hostname}:{plain}"
        finally:
            caddy.kill()


def ready(address):
    """Wait until a server answers behind the proxy."""
    until = time.monotonic() + WAIT_S
    while True:
        with suppress(httpx.TransportError):
            if httpx.get(f"{address}/livez", timeout=WAIT_S).status_code == httpx.codes.OK:
                return
        assert time.monotonic() < until, f"nobody answers behind {address}"
        time.sleep(0.05)
