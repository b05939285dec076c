"""What the program itself complains of while a test runs."""

import logging
from contextlib import contextmanager


class _Faults(logging.Handler):
    def __init__(self):
        super().__init__(logging.WARNING)
        self.found = []

    def emit(self, record):
        if record.exc_info or record.levelno >= logging.ERROR:
            self.found.append(
                f"{record.getMessage()}: {record.exc_info[1]!r}" if record.exc_info else record.getMessage()
            )


@contextmanager
def no_faults():
    """Nothing may be logged as an error or with an exception meanwhile."""
    handler = _Faults()
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
    assert handler.found == []
