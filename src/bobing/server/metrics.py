"""Counters for the operator, in the text form that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

COUNTERS: Mapping[str, str] = {
    "tables_made": "tables made",
    "events_made": "events made",
    "entries": "entries stored in the log",
    "sent": "messages put out to connections",
    "refused": "commands refused",
    "wrong_codes": "calls with the code of no table",
    "slow": "connections closed because they were too slow",
    "followed": "entries of tables that another worker serves, shown here",
    "leases_lost": "tables that another worker has taken over",
    "not_saved": "commands and timed acts that could not be stored",
}
GAUGES: Mapping[str, str] = {
    "tables": "tables in memory",
    "connections": "live connections that said hello",
}


class Metrics:
    """Counts of what happened since the start, and gauges set by whoever knows them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter(dict.fromkeys(COUNTERS, 0))
        self._gauges: dict[str, float] = {}

    def count(self, name: str, by: int = 1) -> None:
        """Add to a counter."""
        assert name in COUNTERS, name
        self._counts[name] += by

    def gauge(self, name: str, value: float) -> None:
        """Set a gauge."""
        assert name in GAUGES, name
        self._gauges[name] = value

    def text(self) -> str:
        r"""All of them.

        >>> metrics = Metrics()
        >>> metrics.count("sent", 3)
        >>> print(*(line for line in metrics.text().splitlines() if "sent" in line), sep="\n")
        # HELP bobing_sent_total messages put out to connections
        # TYPE bobing_sent_total counter
        bobing_sent_total 3
        """
        lines: list[str] = []
        for name, value in sorted(self._counts.items()):
            lines += _lines(f"{name}_total", "counter", COUNTERS[name], f"{value}")
        for name, level in sorted(self._gauges.items()):
            lines += _lines(name, "gauge", GAUGES[name], f"{level:g}")
        return "".join(f"{line}\n" for line in lines)


def _lines(name: str, kind: str, about: str, value: str) -> list[str]:
    return [f"# HELP bobing_{name} {about}", f"# TYPE bobing_{name} {kind}", f"bobing_{name} {value}"]
