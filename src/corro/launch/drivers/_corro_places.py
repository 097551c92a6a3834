"""Places of a generated program as places of the script it was made from, for what is said when it fails.

Beside a program lies a table, ``PROGRAM.places``: for each file of it the file of the user's, and for each line the
line that it was made from; negative where its text is not the user's own. Code keeps the names of the generated files:
what reads source by them, such as TorchScript and AutoGraph, must see what is run.
"""

from __future__ import annotations

import json
import os
import re
import traceback
from types import TracebackType

_FRAME = re.compile(r'File "([^"\n]+)", line (\d+)(, in [^\n]*)?')


def in_script(text: str) -> str:
    """A traceback with the user's files and lines, also where another process has put one into a message."""
    tables = _tables()
    return _FRAME.sub(lambda frame: _named(frame, tables), text) if tables else text


def innermost(trace: TracebackType | None) -> str:
    """Where the user's code is that something happened in, as ``FILE:LINE``; the script itself where none is."""
    tables = _tables()
    script = os.environ.get("CORRO_SCRIPT", "")
    home = os.path.dirname(script) + os.sep
    found = ""
    for frame in traceback.extract_tb(trace):
        file, lines = tables.get(frame.filename, (frame.filename, []))
        number = frame.lineno or 0
        own = frame.filename in tables or (file.startswith(home) and "site-packages" not in file)
        if own or not found:
            found = f"{file}:{abs(lines[number - 1]) if 0 < number <= len(lines) else number}"
    return found


def _named(frame: re.Match[str], tables: dict[str, tuple[str, list[int]]]) -> str:
    if frame[1] not in tables:
        return frame[0]
    file, lines = tables[frame[1]]
    number = int(frame[2])
    line = lines[number - 1] if 0 < number <= len(lines) else number
    changed = f"  (line {number} once converted)" if line < 0 else ""
    return f'File "{file}", line {abs(line)}{frame[3] or ""}{changed}'


def _tables() -> dict[str, tuple[str, list[int]]]:
    """The user's file and lines, by the generated files."""
    generated = os.environ.get("CORRO_GENERATED", "")
    try:
        with open(f"{generated}.places", encoding="utf-8") as file:
            told = json.load(file)
    except (OSError, ValueError):
        return {}
    folder = os.path.dirname(generated)
    return {os.path.join(folder, name): (each["file"], each["lines"]) for name, each in told.items()}
