"""Chains of links: whoever knows the head can check each link when it is shown, and foretell none.

A chain is made from its end: link i-1 is a hash of link i. The head, link 0, is what its owner is bound by. The server
has a chain for each seat, whose link k goes into the seat's k-th throw; the device of a seat has one that is longer by
one, for its link 1 goes into the seed of the game and link k+1 into throw k.
"""

from __future__ import annotations

from functools import lru_cache

from bobing.fairness.packing import digest, keyed, u16, u32

LINKS = 256
"""Throws of a seat that chains are made for."""


def server_end(master: bytes, game: bytes, seat: int) -> bytes:
    """The last link of the server's chain for a seat."""
    return keyed(master, "seat", game, u16(seat))


def server_before(game: bytes, seat: int, i: int, link: bytes) -> bytes:
    """Link i-1 of the server's chain for a seat, from its link i."""
    return digest("sc", game, u16(seat), u32(i), link)


def player_before(game: bytes, seat: int, i: int, link: bytes) -> bytes:
    """Link i-1 of the chain of a seat's own device, from its link i."""
    return digest("pc", game, u16(seat), u32(i), link)


def led_back(game: bytes, seat: int, link: bytes, at: int, to: int) -> bytes:
    """Link `to` of the chain of a seat's own device, from its later link `at`."""
    for i in range(at, to, -1):
        link = player_before(game, seat, i, link)
    return link


def server_link(master: bytes, game: bytes, seat: int, k: int, links: int = LINKS) -> bytes:
    """Link k of the server's chain for a seat; link 0 is its head."""
    return _server_chain(master, game, seat, links)[k]


@lru_cache(maxsize=512)  # of seats that throw just now: a throw needs one link, and the chain is made from its end
def _server_chain(master: bytes, game: bytes, seat: int, links: int) -> list[bytes]:
    """The whole chain of the server for a seat, the head first."""
    chain = [server_end(master, game, seat)]
    for i in range(links, 0, -1):
        chain.append(server_before(game, seat, i, chain[-1]))
    return chain[::-1]


def player_chain(end: bytes, game: bytes, seat: int, links: int = LINKS) -> list[bytes]:
    """The whole chain of a seat's own device from its last link, the head first."""
    chain = [end]
    for i in range(links + 1, 0, -1):
        chain.append(player_before(game, seat, i, chain[-1]))
    return chain[::-1]
