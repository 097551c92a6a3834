"""Independent checks on every output, made before anyone sees it. They share no code with what wrote it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rueda.errors import CheckError, SourceError
from rueda.source import SourceFile, text_edits

if TYPE_CHECKING:
    from collections.abc import Callable

    from rueda.source.edits import Edit


def check(
    source: SourceFile, edits: tuple[Edit, ...], text: str, is_done: Callable[[SourceFile], bool] | None = None
) -> None:
    """Check that an output parses, differs from the input only inside the edits, and would not be converted again.

    Args:
        source: the script.
        edits: what was to be changed.
        text: the generated program.
        is_done: says of a program that it is distributed already.

    Raises:
        CheckError: it does not.
    """
    output = SourceFile.from_text(text, source.path)
    try:
        output.tree  # noqa: B018
    except SourceError as error:
        raise CheckError(f"the generated program is not Python: {error.message}", place=error.place) from error
    again = source.read_back(text)
    if again is not None and ast.dump(again.tree) != ast.dump(output.tree):
        raise CheckError("the cells of the generated notebook do not make up the program.")
    if _without(source, edits, text) != source.text:
        raise CheckError("the generated program differs from the script outside the recorded edits.")
    if edits and text == source.text:
        raise CheckError("the edits change nothing.")
    if is_done is not None and not is_done(output):
        raise CheckError("the generated program would be converted again.")


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
