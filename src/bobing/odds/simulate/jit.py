"""The one place that knows numba: functions compiled without Python's lock, and kept for the next start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

import numba
from numba.core import types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """The function, compiled by numba when it is first called; threads run it side by side.

    One that others call is kept with all that it calls, where numba finds a folder for it (NUMBA_CACHE_DIR, beside the
    file, or of the user); else each process compiles it anew.
    """
    compiled: Any = numba.njit(function, nogil=True, error_model="numpy")
    _take_any_number(compiled)
    if not function.__name__.startswith("_"):
        with suppress(RuntimeError):  # no folder of them may be written
            compiled.enable_caching()
    return compiled


def _take_any_number(compiled: Any) -> None:
    """Compile once for all numbers; numba would once more for each that is written out in a call."""
    template_for, plain = compiled.get_call_template, cast("Callable[[Any], Any]", types.unliteral)

    def get_call_template(given: tuple[Any, ...], named: dict[str, Any]) -> Any:
        return template_for(tuple(map(plain, given)), named)

    compiled.get_call_template = get_call_template


def _bare(_context: Any, array: Any) -> Any:
    def start_of(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(signature.args[0])(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), start_of


bare: Any = intrinsic(_bare)
"""Where the numbers of an array begin, to be indexed from 0 as the array would be laid flat.

numba passes an array as seven values and counts references to it at each call; this is one value, and looks at no place
whether it counts from the end.
"""
