"""Independent checks on every output, made before anyone sees it. They share no code with what wrote it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.errors import CheckError, SourceError
from rueda.source import SourceFile, text_edits

if TYPE_CHECKING:
    from rueda.source.edits import Edit


def check(source: SourceFile, edits: tuple[Edit, ...], text: str) -> None:
    """Check that an output parses and differs from the input only inside the edits.

    Raises:
        CheckError: it does not.
    """
    try:
        SourceFile.from_text(text, source.path).tree  # noqa: B018
    except SourceError as error:
        raise CheckError(f"the generated program is not Python: {error.message}", place=error.place) from error
    if _without(source, edits, text) != source.text:
        raise CheckError("the generated program differs from the script outside the recorded edits.")
    if edits and ast.dump(ast.parse(text)) == ast.dump(source.tree):
        raise CheckError("the edits change nothing.")


def _without(source: SourceFile, edits: tuple[Edit, ...], text: str) -> str:
    """The output with every edit taken back."""
    original: list[str] = []
    position = 0
    for edit in text_edits(source, edits):
        length = edit.span.start - sum(map(len, original))
        original.append(text[position : position + length])
        position += length
        if text[position : position + len(edit.text)] != edit.text:
            return "<an edit is not where it should be>"
        position += len(edit.text)
        original.append(source.text[edit.span.start : edit.span.end])
    original.append(text[position:])
    return "".join(original)
