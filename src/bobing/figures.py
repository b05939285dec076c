"""Figures as people read them: chances in per cent, and what is simulated behind ≈ with its standard error behind ±."""

from __future__ import annotations

from math import floor, isnan, log10

LEAST, MOST = 0.0001, 99.99
"""Per cent that are told in figures; what is beyond is told to be beyond."""
PLACES_MAX = 6


def percent(chance: float, error: float = 0.0) -> str:
    """A chance in per cent, with as many places as it needs; error: its standard error, where it is simulated.

    >>> percent(0.4029), percent(15 / 46656), percent(1 / 46656), percent(0.0), percent(1.0)
    ('40.29 %', '0.0322 %', '0.00214 %', '0 %', '100 %')
    >>> percent(1e-9), percent(1 - 1e-9), percent(0.4029, 0.0015)
    ('< 0.0001 %', '> 99.99 %', '≈ 40.29 % ± 0.15')
    """
    return near(f"{_share(100 * chance)} %", 100 * error)


def measured(value: float, error: float, places: int) -> str:
    """A mean in so many places, or in as many as its standard error has; `error` is 0 where it is exact.

    >>> measured(0.1041, 0.00223, 3), measured(0.1041, 0.0, 3), measured(0.0, 0.0015, 3)
    ('≈ 0.1041 ± 0.0022', '0.104', '≈ 0 ± 0.0015')
    """
    if error and not value:
        return near("0", error)
    more = 0 if isnan(error) or not error else len(few(error).partition(".")[2])
    return near(f"{value:.{max(places, more)}f}", error)


def near(said: str, error: float) -> str:
    """A figure as it is said, where it is exact (error 0); else marked, with its standard error where there is one.

    >>> near("228.53", 0.0), near("228.53", 0.2457), near("228", float("nan"))
    ('228.53', '≈ 228.53 ± 0.25', '≈ 228')
    """
    if isnan(error):
        return f"≈ {said}"
    return f"≈ {said} ± {few(error)}" if error else said


def few(error: float) -> str:
    """A standard error in two figures.

    >>> few(0.2457), few(0.1), few(12.3), few(123.4), few(1e-9)
    ('0.25', '0.10', '12', '123', '0.000001')
    """
    error = max(error, 10**-PLACES_MAX)
    return f"{error:.{min(PLACES_MAX, max(0, 1 - floor(log10(error))))}f}"


def _share(share: float) -> str:
    if share in (0, 100):
        return f"{share:.0f}"
    if share < LEAST:
        return f"< {LEAST}"
    if share > MOST:
        return f"> {MOST}"
    return f"{share:.2f}" if share >= 1 else f"{share:.3g}"
