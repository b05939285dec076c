"""The command `bobing`, also as `python -m bobing`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line; where nothing can be written any more, stop with exit code 1 and no traceback."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed from the start
            setattr(sys, name, open(os.devnull, "w"))  # noqa: PTH123, SIM115 - stays open to the end
    try:
        _run()
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_writing()
    except OSError as error:
        _stop_writing(error.strerror or str(error))


def _run() -> None:
    if sys.argv[1:2] == ["score"]:
        from bobing.quick import answer, show

        lines = answer(sys.argv[2:])
        if lines is not None:
            show(lines)
            return
    from bobing.cli import main as group

    group(prog_name="bobing")


def _stop_writing(why: str | None = None) -> None:
    if why is not None:
        print(f"bobing: {why} [cli/no_output]", file=sys.stderr)  # noqa: T201 - this is a command
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what Python still holds back goes nowhere
    sys.exit(1)


if __name__ == "__main__":
    main()
