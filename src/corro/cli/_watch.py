"""Converting a script again each time that it, or one of its modules, changes."""

from __future__ import annotations

import contextlib
import difflib
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from corro.cli._render import render_diff, render_plan
from corro.cli._terminal import echo
from corro.compiler import program_of
from corro.errors import CorroError, UsageError
from corro.source import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corro.compiler import Output

SECONDS = 0.3


def watch(script: str, convert: Callable[[str, bool], Output]) -> None:
    """Convert a script now and whenever it or one of its modules changes, until Ctrl-C.

    Args:
        script: the file.
        convert: converts it, and writes the program; told whether what it replaces is of this watch.

    Raises:
        UsageError: there is nothing to begin with.
    """
    shown: dict[str, str] = {}
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            files = _files(script)
            before = _changed(files)
            shown = _again(script, convert, shown)
            echo(f"corro: watching {script}; Ctrl-C ends it.", sys.stderr)
            while _changed(files) == before:
                time.sleep(SECONDS)


def _again(script: str, convert: Callable[[str, bool], Output], before: dict[str, str]) -> dict[str, str]:
    """Convert it, and show what is new; what its files are then, or as before where it cannot be converted."""
    try:
        output = convert(script, bool(before))
    except CorroError as error:
        if not before and isinstance(error, UsageError):
            raise
        echo(f"corro: {error}", sys.stderr)
        return before
    if output.text is None:
        render_plan(output, sys.stderr)
        echo(f"corro: {script} is not converted: {output.plan.outcome.value}.", sys.stderr)
        return before
    files = {output.source.path.name: output.text}
    files |= {str(module.source.path): module.text for module in output.modules}
    for name, text in files.items() if before else ():
        old, new = (each.splitlines(keepends=True) for each in (before.get(name, ""), text))
        render_diff("".join(difflib.unified_diff(old, new, f"{name} before", f"{name} now")), sys.stderr)
    return files


def _files(script: str) -> tuple[Path, ...]:
    """The files of a program; the script alone while it cannot be read."""
    with contextlib.suppress(CorroError):
        return tuple(file.path for file in program_of(read_source(script)).files)
    return (Path(script),)


def _changed(files: Iterable[Path]) -> tuple[int, ...]:
    """When they were changed; 0 for one that is not there."""
    return tuple(_time_of(file) for file in files)


def _time_of(file: Path) -> int:
    with contextlib.suppress(OSError):
        return file.stat().st_mtime_ns
    return 0
