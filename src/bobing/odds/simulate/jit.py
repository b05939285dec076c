"""The one place that knows numba: functions compiled without Python's lock, and kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
from numba.core import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """The function, compiled by numba when it is first called; threads run it side by side."""
    compiled: Any = numba.njit(function, cache=True, nogil=True, error_model="numpy")
    return compiled


def _bare(_context: Any, array: Any) -> Any:
    def start_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), start_of


bare: Any = intrinsic(_bare)
"""Where the numbers of an array begin, to be indexed from 0 as the array would be laid flat.

numba passes an array as seven values and counts references to it at each call; this is one value, and looks at no place
whether it counts from the end.
"""
