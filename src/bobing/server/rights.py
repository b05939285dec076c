"""Codes of tables, and tokens: what is kept of them, and what they allow."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from bobing.ports import Grant
from bobing.wire import messages as wire

CODE_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH = 8
PAPER = "heir paper"
"""The right to be the host who types in from paper; it is a link that is used once, as `heir` is."""
HOSTS: Mapping[str, str] = {"heir": "host", PAPER: "host paper"}
BEFORE = "watch before"
"""The right of a device of an event's table that was the host until another was: it looks on."""
_ROLES: Mapping[str, Any] = {
    **dict.fromkeys((*HOSTS, *HOSTS.values()), "host"),
    **dict.fromkeys(("watch", BEFORE), "watch"),
    "seat": "seat",
}


def you_of(grant: Grant) -> wire.You:
    """What a grant at a table allows."""
    return wire.You(role=_ROLES[grant.role], seat=grant.seat, paper=grant.role.endswith("paper"))


def right_of(you: wire.You) -> str:
    """What the grant of somebody who is here says."""
    return HOSTS[PAPER] if you.paper else you.role


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def is_code(code: str) -> bool:
    """Whether a text has the form of a code."""
    return len(code) == CODE_LENGTH and all(sign in CODE_SIGNS for sign in code)
