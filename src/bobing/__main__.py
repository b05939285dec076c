"""The command `bobing`, also as `python -m bobing`."""

from __future__ import annotations

import errno
import os
import sys


def main() -> None:
    """Run the command line; where nothing can be written, stop without a traceback.

    Exit code 2 where output is closed or full, 1 and no word where nobody reads on.
    """
    mute = sys.stdout is None
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed from the start
            setattr(sys, name, open(os.devnull, mode))  # noqa: PTH123, SIM115 - stays open to the end
    try:
        if mute and sys.argv[1:2] != ["serve"]:  # a server may well be started without
            raise OSError(errno.EBADF, "standard output is closed")
        _run()
        sys.stdout.flush()
    except BrokenPipeError:
        _stop_writing(1)
    except OSError as error:
        print(f"bobing: {error.strerror or error} [cli/no_output]", file=sys.stderr)  # noqa: T201 - this is a command
        _stop_writing(2)


def _run() -> None:
    if sys.argv[1:2] == ["score"]:
        from bobing.quick import answer, show

        lines = answer(sys.argv[2:])
        if lines is not None:
            show(lines)
            return
    from bobing.cli import main as group

    group(prog_name="bobing")


def _stop_writing(code: int) -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what Python still holds back goes nowhere
    sys.exit(code)


if __name__ == "__main__":
    main()
