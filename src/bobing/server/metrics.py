"""Counters for the operator, in the text form that Prometheus reads."""

from __future__ import annotations

from collections import Counter


class Metrics:
    """Counts of what happened since the start, and gauges set by whoever knows them."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._gauges: dict[str, float] = {}

    def count(self, name: str, by: int = 1) -> None:
        """Add to a counter."""
        self._counts[name] += by

    def gauge(self, name: str, value: float) -> None:
        """Set a gauge."""
        self._gauges[name] = value

    def text(self) -> str:
        """All of them.

        >>> metrics = Metrics()
        >>> metrics.count("sent", 3)
        >>> print(metrics.text(), end="")
        # TYPE bobing_sent_total counter
        bobing_sent_total 3
        """
        lines: list[str] = []
        for name, value in sorted(self._counts.items()):
            lines += [f"# TYPE bobing_{name}_total counter", f"bobing_{name}_total {value}"]
        for name, level in sorted(self._gauges.items()):
            lines += [f"# TYPE bobing_{name} gauge", f"bobing_{name} {level:g}"]
        return "".join(f"{line}\n" for line in lines)
