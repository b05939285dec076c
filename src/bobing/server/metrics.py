"""Counters for the operator, in the text form that Prometheus reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Protocol

from bobing.ports import Spread, Writes

COUNTERS: Mapping[str, str] = {
    "tables_made": "tables made",
    "events_made": "events made",
    "entries": "entries stored in the log",
    "sent": "messages put out to connections",
    "refused": "commands refused",
    "wrong_codes": "calls with the code of no table",
    "slow": "connections closed because they were too slow",
    "followed": "entries of tables that another worker serves, shown here",
    "resyncs": "connections that came back and got everything anew",
    "leases_lost": "tables that another worker has taken over",
    "not_saved": "commands and timed acts that could not be stored",
}
GAUGES: Mapping[str, str] = {
    "tables": "tables in memory",
    "connections": "live connections that said hello",
    "outbox": "messages that wait at the connection where most do",
    "writes_waiting": "requests that wait to be stored",
}
SPREADS: Mapping[str, str] = {
    "group_size": "requests stored by one commit",
    "sync_seconds": "how long a commit took until it was durable",
}


class Outbox(Protocol):
    """A live connection."""

    def waiting(self) -> int:
        """Messages that it did not take yet."""
        ...


class Metrics:
    """Counts of what happened since the start, and gauges set by whoever knows them.

    outboxes: the live connections, which are asked when somebody wants to know.
    """

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter(dict.fromkeys(COUNTERS, 0))
        self._gauges: dict[str, float] = {}
        self.outboxes: set[Outbox] = set()

    def count(self, name: str, by: int = 1) -> None:
        """Add to a counter."""
        assert name in COUNTERS, name
        self._counts[name] += by

    def gauge(self, name: str, value: float) -> None:
        """Set a gauge."""
        assert name in GAUGES, name
        self._gauges[name] = value

    def text(self, writes: Writes | None = None) -> str:
        r"""All of them. writes: what the store's writing came to, where it has to make anything durable.

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
        gauges = {**self._gauges, "connections": len(self.outboxes)}
        gauges["outbox"] = max((outbox.waiting() for outbox in self.outboxes), default=0)
        spreads: dict[str, Spread] = {}
        if writes:
            gauges["writes_waiting"] = writes.waiting
            spreads = {"group_size": writes.sizes, "sync_seconds": writes.seconds}
        for name, level in sorted(gauges.items()):
            lines += _lines(name, "gauge", GAUGES[name], f"{level:g}")
        for name, spread in spreads.items():
            lines += _histogram(name, SPREADS[name], spread)
        return "".join(f"{line}\n" for line in lines)


def _lines(name: str, kind: str, about: str, value: str) -> list[str]:
    return [f"# HELP bobing_{name} {about}", f"# TYPE bobing_{name} {kind}", f"bobing_{name} {value}"]


def _histogram(name: str, about: str, spread: Spread) -> list[str]:
    r"""A spread in the text form.

    >>> print(*_histogram("size", "sizes", Spread((0.5, 2), (3, 4, 6), 20.5)), sep="\n")
    # HELP bobing_size sizes
    # TYPE bobing_size histogram
    bobing_size_bucket{le="0.5"} 3
    bobing_size_bucket{le="2"} 4
    bobing_size_bucket{le="+Inf"} 6
    bobing_size_sum 20.5
    bobing_size_count 6
    """
    bounds = [*(f"{bound:g}" for bound in spread.bounds), "+Inf"]
    buckets = [f'bobing_{name}_bucket{{le="{le}"}} {n}' for le, n in zip(bounds, spread.counts, strict=True)]
    head = _lines(name, "histogram", about, "")[:2]
    return [*head, *buckets, f"bobing_{name}_sum {spread.total:g}", f"bobing_{name}_count {spread.counts[-1]}"]
