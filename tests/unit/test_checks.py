"""The checks see what is wrong with an output, whoever wrote it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rueda.checks import check
from rueda.errors import CheckError
from rueda.source import Before, Edit, Remove, Replace, SourceFile, Span, apply

if TYPE_CHECKING:
    import ast

SOURCE = SourceFile.from_text("a = 1\nb = 2\n", "script.py")


def statement(number: int) -> ast.stmt:
    return SOURCE.tree.body[number]


def test_a_right_output_passes() -> None:
    edits: tuple[Edit, ...] = (Before(statement(1), "c = 3"), Replace(Span(4, 5), "10"))
    check(SOURCE, edits, apply(SOURCE, edits))


def test_no_edits_and_the_same_text_pass() -> None:
    check(SOURCE, (), SOURCE.text)


def test_an_output_that_does_not_parse_is_found() -> None:
    edits = (Replace(Span(4, 5), "("),)
    with pytest.raises(CheckError, match="not Python"):
        check(SOURCE, edits, apply(SOURCE, edits))


@pytest.mark.parametrize("text", ["a = 10\nb = 3\n", "a = 10\n", "a = 10\nb = 2\nc = 3\n", "a = 10\nb  = 2\n", ""])
def test_a_difference_outside_the_edits_is_found(text: str) -> None:
    with pytest.raises(CheckError, match="outside the recorded edits"):
        check(SOURCE, (Replace(Span(4, 5), "10"),), text)


def test_an_edit_that_was_not_made_is_found() -> None:
    with pytest.raises(CheckError, match="outside the recorded edits"):
        check(SOURCE, (Replace(Span(4, 5), "10"),), SOURCE.text)


def test_edits_that_change_nothing_are_found() -> None:
    edits = (Replace(Span(4, 5), "1"),)
    with pytest.raises(CheckError, match="change nothing"):
        check(SOURCE, edits, apply(SOURCE, edits))


def test_a_removed_statement_passes() -> None:
    edits = (Remove(statement(0)),)
    check(SOURCE, edits, apply(SOURCE, edits))
