"""The command line: ``corro COMMAND``. One file in this folder is one command, loaded when it is called.

A file ``name.py`` exposes ``command``: a :class:`click.Command`, or a function that makes it where the command can do
without click; files that begin with ``_`` are helpers.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from typing import Any

from corro.cli._terminal import clear_line, echo
from corro.errors import CorroError, ExecutionError, UsageError

_OBJECTS_BEFORE_COLLECTION = 1_000_000
"""Trees and tables of names live as long as the command: looking through them for garbage is lost time."""


INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells have it."""


def main(arguments: Sequence[str] | None = None) -> Any:
    """Runs the command line and ends the process: 0 done, 1 refused or failed, 2 wrong usage, 130 interrupted."""
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTION)
    atexit.register(gc.freeze)  # what is there at the end is not looked through once more
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except CorroError as error:
        echo(f"corro: {error}", sys.stderr)
        sys.exit(error.exit_status)
    except KeyboardInterrupt:
        echo(f"{clear_line(sys.stderr)}corro: interrupted.", sys.stderr)
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # who reads has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:  # a full disk, a folder that cannot be written
        if not error.strerror:
            raise
        where = f"{error.filename}: " if error.filename else ""
        echo(f"corro: {ExecutionError(f'{where}{error.strerror}.')}", sys.stderr)
        sys.exit(ExecutionError.exit_status)


def console() -> None:
    """What the installed command calls: as ``main``, and where that comes back the process ends at once.

    All that was printed and written is out by then. To give the memory back object by object takes a twentieth of a
    compilation; mypy ends its command in the same way.
    """
    main()
    os._exit(0)


def _run(arguments: list[str]) -> Any:
    if arguments[:1] == ["compile"]:
        from corro.cli import compile

        if compile.run_plainly(arguments[1:]):
            return None
    completing = "_CORRO_COMPLETE" in os.environ
    if not completing and (not arguments or arguments[0] in {"-h", "--help", "-V", "--version"}):
        return _introduce(arguments[:1])
    from corro.cli._group import call

    return call(arguments)


def _introduce(asked: Sequence[str]) -> None:
    """Say what there is, or the version; asked for nothing, the usage was wrong."""
    from corro.cli import _help

    if asked and asked[0] in {"-V", "--version"}:
        echo(_help.version(), sys.stdout)
        return
    echo(_help.page().removesuffix("\n"), sys.stdout)
    if not asked:
        sys.exit(UsageError.exit_status)
