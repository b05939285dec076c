"""The built page: files with what they were compressed to, cached by content, under headers that allow nothing foreign.

The page routes by itself, so that every address without a file is answered with its first page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path, PurePosixPath

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

FOLDER = Path(__file__).parent.parent / "_web"
_POLICY = (
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    # Svelte makes its templates through a Trusted Types policy of its own; ours names the one service worker.
    "trusted-types svelte-trusted-html bobing-worker",
)
HEADERS: Mapping[str, str] = {
    "content-security-policy": "; ".join(_POLICY),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Security headers for everything that the server answers."""

_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/plain; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
_PACKED: Mapping[str, str] = {".br": "br", ".gz": "gzip"}
_FIRST_PAGE = "index.html"
_FOREVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_NOT_BUILT = (
    "The page is not built. Run `python3 dev.py setup` in a clone, or install bobing without BOBING_SKIP_WEB.\n"
)


@dataclass(frozen=True, slots=True)
class Page:
    """One file. bodies: by content coding, "" for the plain one. forever: its name changes with its content."""

    kind: str
    forever: bool
    etag: str
    bodies: Mapping[str, bytes]


def static_routes(folder: Path = FOLDER) -> list[BaseRoute]:
    """The routes that serve the page from a folder. They answer every path, so they come last."""

    def answer(request: Request) -> Response:
        return respond(pages(folder), request.url.path, request.headers)

    return [Route("/{path:path}", answer, methods=["GET", "HEAD"])]


@cache
def pages(folder: Path) -> Mapping[str, Page]:
    """All files below a folder by their path, read once; hidden files are left out. Empty where there is no page."""
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*")) if path.is_file()}
    return {
        name: _page(name, path, {coding: found.get(name + end) for end, coding in _PACKED.items()})
        for name, path in found.items()
        if path.suffix not in _PACKED and not any(part.startswith(".") for part in PurePosixPath(name).parts)
    }


def _page(name: str, path: Path, packed: Mapping[str, Path | None]) -> Page:
    plain = path.read_bytes()
    bodies = {coding: other.read_bytes() for coding, other in packed.items() if other is not None}
    kind = _TYPES.get(path.suffix, "application/octet-stream")
    return Page(kind, name.startswith("assets/"), sha256(plain).hexdigest()[:24], {**bodies, "": plain})


def respond(found: Mapping[str, Page], path: str, headers: Mapping[str, str]) -> Response:
    """The answer to a request for a path. headers: those of the request, names in small letters."""
    if not found:
        return PlainTextResponse(_NOT_BUILT, 503, {**HEADERS, "cache-control": "no-store"})
    name = path.lstrip("/") or _FIRST_PAGE
    page = found.get(name)
    if page is None and _is_address_of_a_page(name):
        page = found.get(_FIRST_PAGE)
    if page is None:
        return PlainTextResponse("Nothing is here.\n", 404, {**HEADERS, "cache-control": "no-store"})
    coding = _best(headers.get("accept-encoding", ""), page.bodies)
    etag = f'"{page.etag}{"-" if coding else ""}{coding}"'
    about = {
        **HEADERS,
        "cache-control": _FOREVER if page.forever else _ASK_AGAIN,
        "etag": etag,
        "vary": "accept-encoding",
        **({"content-encoding": coding} if coding else {}),
    }
    if _matches(headers.get("if-none-match", ""), etag):
        return Response(None, 304, about)
    return Response(page.bodies[coding], 200, about, media_type=page.kind)


def _is_address_of_a_page(name: str) -> bool:
    """Whether the page itself knows what stands there: not below /api or /assets, and not what looks like a file."""
    first = name.partition("/")[0]
    if first in ("api", "ws", "assets", "icons"):
        return False
    return "." not in name.rpartition("/")[2]


def _best(accepted: str, bodies: Mapping[str, bytes]) -> str:
    """The best coding that the browser takes and we have.

    >>> _best("gzip, deflate, br", {"br": b"", "gzip": b"", "": b""}), _best("br;q=0, gzip", {"br": b"", "gzip": b""})
    ('br', 'gzip')
    """
    wishes = [wish.split(";") for wish in accepted.lower().split(",")]
    taken = {coding.strip() for coding, *weight in wishes if not _is_zero(weight)}
    return next((coding for coding in _PACKED.values() if coding in taken and coding in bodies), "")


def _is_zero(weight: Sequence[str]) -> bool:
    return any(part.replace(" ", "") in ("q=0", "q=0.0", "q=0.00", "q=0.000") for part in weight)


def _matches(asked: str, etag: str) -> bool:
    tags = [tag.strip().removeprefix("W/") for tag in asked.split(",")]
    return etag in tags or "*" in tags
