"""Converting a script again each time that it changes."""

from __future__ import annotations

import contextlib
import difflib
import sys
import time
from typing import TYPE_CHECKING

from corro.cli._render import render_diff, render_plan
from corro.cli._terminal import echo
from corro.compiler import program_of
from corro.errors import CorroError
from corro.source import read_source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from corro.compiler import Output

SECONDS = 0.3


def watch(script: str, convert: Callable[[str], Output]) -> None:
    """Convert a script now and whenever it or one of its modules changes, until Ctrl-C."""
    shown = ""
    while True:
        files = _files(script)
        with contextlib.suppress(CorroError):
            shown = _again(script, convert, shown)
        echo(f"corro: watching {script}; Ctrl-C ends it.", sys.stderr)
        while _files(script) == files:
            time.sleep(SECONDS)


def _again(script: str, convert: Callable[[str], Output], before: str) -> str:
    """Convert it; what its program is now, and what is new in it is shown."""
    try:
        output = convert(script)
    except CorroError as error:
        echo(f"corro: {error}", sys.stderr)
        raise
    if output.text is None:
        render_plan(output, sys.stderr)
        echo(f"corro: {script} is not converted: {output.plan.outcome.value}.", sys.stderr)
        return before
    if before and before != output.text:
        old, new = (each.splitlines(keepends=True) for each in (before, output.text))
        render_diff("".join(difflib.unified_diff(old, new, "program before", "program now")), sys.stderr)
    return output.text


def _files(script: str) -> dict[Path, int]:
    """The files of a program, with when they changed; the script alone while it cannot be read."""
    source = None
    with contextlib.suppress(CorroError):
        source = read_source(script)
        return {file.path: _changed(file.path) for file in program_of(source).files}
    return {source.path: _changed(source.path)} if source is not None else {}


def _changed(path: Path) -> int:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime_ns
    return 0
