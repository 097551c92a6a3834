"""The changes of a program as one patch, which ``git apply`` and ``patch -p1`` take."""

from __future__ import annotations

import difflib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.compiler import Output
    from corro.source import SourceFile

_ESCAPES = {"\t": "\\t", "\n": "\\n", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def patch(output: Output) -> Iterator[tuple[str, SourceFile]]:
    """The patch of each file, with the file.

    Names are as seen from the current folder where all files lie in it, and else from the folder that has them all.
    """
    assert output.text is not None
    texts = [(output.source, output.text), *((module.source, module.text) for module in output.modules)]
    paths = [source.path.resolve() for source, _ in texts]
    here = Path.cwd()
    above = os.path.commonpath([path.parent for path in paths])
    folder = here if Path(above).is_relative_to(here) else above
    for path, (source, text) in zip(paths, texts, strict=True):
        diff = "".join(_diff(source, text, os.path.relpath(path, folder)))
        if diff:
            yield diff, source


def _diff(source: SourceFile, text: str, name: str) -> Iterator[str]:
    bom = "\ufeff" if source.bom else ""
    old, new = (re.split(r"(?<=\n)(?!\Z)", bom + each) for each in (source.text, text))
    lines = difflib.unified_diff(old, new, _quoted(f"a/{name}"), _quoted(f"b/{name}"))
    yield from (line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _quoted(name: str) -> str:
    """A name as Git writes it: a tab tells where one with blanks ends, quotes and control characters are escaped."""
    if any(character in name for character in _ESCAPES):
        return '"' + "".join(_ESCAPES.get(character, character) for character in name) + '"'
    return f"{name}\t" if " " in name else name
