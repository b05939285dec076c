"""The server's log: text or JSON lines, without names, tokens or control characters."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any


class OneLine(logging.Formatter):
    """One line an event; control characters are shown, not obeyed."""

    def format(self, record: logging.LogRecord) -> str:
        """The event as text."""
        return _plain(super().format(record))


class JsonLine(logging.Formatter):
    """One JSON object an event."""

    def format(self, record: logging.LogRecord) -> str:
        """The event as JSON."""
        event = {"at": round(record.created, 3), "level": record.levelname.lower(), "from": record.name}
        event["event"] = record.getMessage()
        if record.exc_info:
            event["trace"] = self.formatException(record.exc_info)
        return json.dumps(event, ensure_ascii=True)


def not_an_ending(record: logging.LogRecord) -> bool:
    """False for a call that was cut off because the server ends: that is no fault."""
    return not (record.exc_info and isinstance(record.exc_info[1], asyncio.CancelledError))


def log_config(form: str) -> dict[str, Any]:
    """The logging set-up for `text` or `json`."""
    kind = JsonLine if form == "json" else OneLine
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"()": kind, "format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
        "filters": {"faults": {"()": lambda: not_an_ending}},
        "handlers": {
            "err": {
                "class": "logging.StreamHandler",
                "formatter": "line",
                "stream": "ext://sys.stderr",
                "filters": ["faults"],
            }
        },
        "loggers": {"uvicorn": {"level": "WARNING"}, "bobing": {"level": "INFO"}},
        "root": {"handlers": ["err"], "level": "WARNING"},
    }


def _plain(line: str) -> str:
    return "".join(sign if sign.isprintable() or sign == "\n" else f"\\x{ord(sign):02x}" for sign in line)
