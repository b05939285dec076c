"""The one place that knows numba: functions compiled without Python's lock, and kept for the next start."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
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


def is_kept(compiled: Any) -> bool:
    """Whether an earlier process kept this function as it is written now, so that it is at hand at once."""
    cache = getattr(compiled, "_cache", None)
    if cache is None or not cache.cache_path:
        return False
    source = Path(compiled.py_func.__code__.co_filename)
    name = f"{source.stem}.{compiled.__name__}-*.py{sys.version_info.major}{sys.version_info.minor}*.nbi"
    written = source.stat().st_mtime
    return any(kept.stat().st_mtime > written for kept in Path(cache.cache_path).glob(name))


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
