"""The one place that knows numba: functions compiled without Python's lock, and kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """The function, compiled by numba when it is first called; threads run it side by side."""
    compiled: Any = numba.njit(function, cache=True, nogil=True, error_model="numpy")
    return compiled
