"""``Before``, ``After``, ``Guard``, ``Under``, ``Remove``: a text, edits of statements by number, the text after."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from corro.source import After, Before, Edit, EditError, Guard, Insert, Remove, Replace, SourceFile, Span, Under, apply

Statements = list[ast.stmt]
Edits = Callable[[Statements], list[Edit]]


def edited(text: str, edits: Edits) -> str:
    """``text`` after edits that are told its statements, in the order of the text."""
    source = SourceFile.from_text(text)
    statements = [node for node in ast.walk(source.tree) if isinstance(node, ast.stmt)]
    statements.sort(key=lambda node: (source.span(node).start, -source.span(node).end))
    return apply(source, edits(statements))


CASES = [
    ("before a statement", "a\nb\n", lambda s: [Before(s[1], "x")], "a\nx\nb\n"),
    ("before, in order", "a\n", lambda s: [Before(s[0], "y", 2), Before(s[0], "x", 1)], "x\ny\na\n"),
    ("before decorators", "@d\n@e\ndef f(): pass\n", lambda s: [Before(s[0], "x")], "x\n@d\n@e\ndef f(): pass\n"),
    ("before, below its comment", "# c\na\n", lambda s: [Before(s[0], "x")], "# c\nx\na\n"),
    ("after a statement and its comment", "a  # c\nb\n", lambda s: [After(s[0], "x")], "a  # c\nx\nb\n"),
    ("after the last line without line end", "a", lambda s: [After(s[0], "x")], "a\nx"),
    (
        "after an if with else",
        "if a:\n    b\nelse:\n    c\nd\n",
        lambda s: [After(s[0], "x")],
        "if a:\n    b\nelse:\n    c\nx\nd\n",
    ),
    (
        "after a block, not its later comments",
        "if a:\n    b\n    # c\n# d\n",
        lambda s: [After(s[0], "x")],
        "if a:\n    b\nx\n    # c\n# d\n",
    ),
    (
        "after inner and outer at once",
        "if a:\n    b\n",
        lambda s: [After(s[0], "y"), After(s[1], "x")],
        "if a:\n    b\n    x\ny\n",
    ),
    (
        "after a multi-line string",
        "if a:\n    s = '''\nx'''\n",
        lambda s: [After(s[1], "t")],
        "if a:\n    s = '''\nx'''\n    t\n",
    ),
    (
        "after a continued statement",
        "a = 1 + \\\n    2\nb\n",
        lambda s: [After(s[0], "x")],
        "a = 1 + \\\n    2\nx\nb\n",
    ),
    (
        "several lines",
        "if a:\n    b\n",
        lambda s: [Before(s[1], "if x:\n    y\nz")],
        "if a:\n    if x:\n        y\n    z\n    b\n",
    ),
    ("the file's tabs", "if a:\n\tb\n", lambda s: [Before(s[1], "if x:\n    y")], "if a:\n\tif x:\n\t\ty\n\tb\n"),
    (
        "the file's line ends",
        "if a:\r\n  b\r\n",
        lambda s: [After(s[1], "if x:\n    y")],
        "if a:\r\n  b\r\n  if x:\r\n    y\r\n",
    ),
    (
        "a string over lines in new text",
        "if a:\n    b\n",
        lambda s: [Before(s[1], "x = '''\n 1\n'''")],
        "if a:\n    x = '''\n 1\n'''\n    b\n",
    ),
    ("before the second of a line", "a; b  # c\n", lambda s: [Before(s[1], "x")], "a\nx\nb  # c\n"),
    ("after the first of a line", "a; b  # c\n", lambda s: [After(s[0], "x")], "a\nx\nb  # c\n"),
    ("after the last of a line", "a; b;  # c\n", lambda s: [After(s[1], "x")], "a; b;  # c\nx\n"),
    ("only where it must be broken", "a; b; c; d\n", lambda s: [Before(s[2], "x")], "a; b\nx\nc; d\n"),
    ("into an inline suite", "if m: train()  # c\n", lambda s: [Before(s[1], "x")], "if m:\n    x\n    train()  # c\n"),
    (
        "behind an inline suite's last",
        "if m: a; b\nelse: c\n",
        lambda s: [After(s[2], "x")],
        "if m:\n    a; b\n    x\nelse: c\n",
    ),
    ("into an inline else", "if m: a\nelse: c\n", lambda s: [Before(s[2], "x")], "if m: a\nelse:\n    x\n    c\n"),
    ("around an inline class", "class A: pass\n", lambda s: [After(s[0], "x")], "class A: pass\nx\n"),
    ("an inline suite behind a backslash", "if m: \\\n  a\n", lambda s: [Before(s[1], "x")], "if m:\n    x\n    a\n"),
    ("guard a statement", "a\nb\n", lambda s: [Guard(s[0], "m")], "if m:\n    a\nb\n"),
    (
        "guard neighbours together",
        "a\n# c\n\nb\n",
        lambda s: [Guard(s[0], "m"), Guard(s[1], "m")],
        "if m:\n    a\n    # c\n\n    b\n",
    ),
    (
        "guard neighbours apart",
        "a\nb\n",
        lambda s: [Guard(s[0], "m"), Guard(s[1], "n")],
        "if m:\n    a\nif n:\n    b\n",
    ),
    ("a comment above stays above", "# c\na\n", lambda s: [Guard(s[0], "m")], "# c\nif m:\n    a\n"),
    (
        "guard a call over lines",
        "f(\n    a,  # c\n)\n",
        lambda s: [Guard(s[0], "m")],
        "if m:\n    f(\n        a,  # c\n    )\n",
    ),
    (
        "guard a string over lines",
        "if a:\n    f('''\nx\n  y''', (\n    1))\n",
        lambda s: [Guard(s[1], "m")],
        "if a:\n    if m:\n        f('''\nx\n  y''', (\n        1))\n",
    ),
    ("guard within a line", "a; b; c\n", lambda s: [Guard(s[1], "m")], "a\nif m:\n    b\nc\n"),
    ("guard two within a line", "a; b; c\n", lambda s: [Guard(s[1], "m"), Guard(s[2], "m")], "a\nif m:\n    b; c\n"),
    (
        "guard across lines",
        "a; b\nc; d\n",
        lambda s: [Guard(s[1], "m"), Guard(s[2], "m")],
        "a\nif m:\n    b\n    c\nd\n",
    ),
    (
        "guard in an inline suite",
        "for a in b: c(); d()\n",
        lambda s: [Guard(s[1], "m")],
        "for a in b:\n    if m:\n        c()\n    d()\n",
    ),
    (
        "guard with lines around",
        "a\n",
        lambda s: [Guard(s[0], "m"), Before(s[0], "x"), After(s[0], "y")],
        "x\nif m:\n    a\ny\n",
    ),
    (
        "a line between parts guards",
        "a\nb\n",
        lambda s: [Guard(s[0], "m"), Guard(s[1], "m"), After(s[0], "x")],
        "if m:\n    a\nx\nif m:\n    b\n",
    ),
    (
        "lines inside what is guarded",
        "for a in b:\n    c\nd\n",
        lambda s: [Guard(s[0], "m"), Before(s[1], "x"), After(s[1], "y")],
        "if m:\n    for a in b:\n        x\n        c\n        y\nd\n",
    ),
    (
        "neighbours under one head, with the comment between them",
        "a\n# why\nb\nc\n",
        lambda s: [Under(s[0], "with m:"), Under(s[1], "with m:")],
        "with m:\n    a\n    # why\n    b\nc\n",
    ),
    (
        "guards inside guards",
        "for a in b:\n    c(\n    1)\n",
        lambda s: [Guard(s[0], "m"), Guard(s[1], "n")],
        "if m:\n    for a in b:\n        if n:\n            c(\n            1)\n",
    ),
    (
        "guard a decorated function",
        "@d\ndef f():\n    pass\n",
        lambda s: [Guard(s[0], "m")],
        "if m:\n    @d\n    def f():\n        pass\n",
    ),
    (
        "guard a continued statement",
        "a = 1 + \\\n  2\n",
        lambda s: [Guard(s[0], "m")],
        "if m:\n    a = 1 + \\\n      2\n",
    ),
    (
        "guard under a form feed",
        "if a:\n\x0c    b\n",
        lambda s: [Guard(s[0], "m")],
        "if m:\n    if a:\n\x0c        b\n",
    ),
    ("guard twice alike", "a\n", lambda s: [Guard(s[0], "m"), Guard(s[0], "m")], "if m:\n    a\n"),
    ("remove a statement", "a\nb  # c\nd\n", lambda s: [Remove(s[1])], "a\nd\n"),
    ("remove, but not the comment above", "a\n# c\nb\n", lambda s: [Remove(s[1])], "a\n# c\n"),
    ("remove the only one of a block", "if a:\n    b  # c\nd\n", lambda s: [Remove(s[1])], "if a:\n    pass\nd\n"),
    (
        "remove all of a block",
        "if a:\n    b\n    c\nd\n",
        lambda s: [Remove(s[1]), Remove(s[2])],
        "if a:\n    pass\nd\n",
    ),
    ("remove all of a module", "a\nb", lambda s: [Remove(s[0]), Remove(s[1])], ""),
    ("remove the first of a line", "a; b  # c\n", lambda s: [Remove(s[0])], "b  # c\n"),
    ("remove the last of a line", "a; b  # c\n", lambda s: [Remove(s[1])], "a  # c\n"),
    ("remove the middle of a line", "a; b; c\n", lambda s: [Remove(s[1])], "a; c\n"),
    ("remove an inline suite", "if m: a; b\n", lambda s: [Remove(s[1]), Remove(s[2])], "if m: pass\n"),
    ("remove an inline else", "if m: a\nelse: b\n", lambda s: [Remove(s[2])], "if m: a\nelse: pass\n"),
    ("remove a block", "a\nfor b in c:\n    d\n\ne\n", lambda s: [Remove(s[1])], "a\n\ne\n"),
    (
        "remove and put lines in its place",
        "if a:\n    b  # c\n",
        lambda s: [Remove(s[1]), Before(s[1], "x")],
        "if a:\n    x\n",
    ),
    (
        "remove and leave a comment only",
        "if a:\n    b\n",
        lambda s: [Remove(s[1]), Before(s[1], "# x")],
        "if a:\n    # x\n    pass\n",
    ),
    (
        "remove under a guard",
        "if a:\n    b\n    c\n",
        lambda s: [Guard(s[0], "m"), Remove(s[1])],
        "if m:\n    if a:\n        c\n",
    ),
    (
        "replace under a guard",
        "if a:\n    b(\n  1)\n",
        lambda s: [Guard(s[0], "m"), Replace(Span(10, 11), "x"), Insert(16, ", 2")],
        "if m:\n    if a:\n        x(\n      1, 2)\n",
    ),
]


@pytest.mark.parametrize(("text", "edits", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_lines(text: str, edits: Edits, expected: str) -> None:
    result = edited(text, edits)
    assert result == expected
    ast.parse(result)


@pytest.mark.parametrize(
    ("text", "edits", "message"),
    [
        pytest.param("if a:\n    b\nelif c:\n    d\n", lambda s: [Before(s[2], "x")], "elif", id="before an elif"),
        pytest.param("if a:\n    b\nelif c:\n    d\n", lambda s: [Guard(s[2], "x")], "elif", id="guard an elif"),
        pytest.param(
            "if a:\n    b\n", lambda s: [Remove(s[0]), Before(s[1], "x")], "inside a removed", id="in removed"
        ),
        pytest.param(
            "a\n", lambda s: [Remove(s[0]), Guard(s[0], "m")], "removed and guarded", id="removed and guarded"
        ),
        pytest.param("a\n", lambda s: [Guard(s[0], "n"), Guard(s[0], "m")], "guarded with", id="two guards"),
        pytest.param("f(a)\n", lambda s: [Remove(s[0]), Replace(Span(2, 3), "b")], "overlap", id="replace in removed"),
        pytest.param("f(a)\n", lambda s: [Replace(Span(0, 4), "g"), Replace(Span(2, 3), "b")], "overlap", id="nested"),
        pytest.param(
            "abcd\n", lambda s: [Replace(Span(0, 3), "g"), Replace(Span(2, 4), "b")], "overlap", id="crossing"
        ),
        pytest.param(
            "abcd\n", lambda s: [Replace(Span(0, 4), "g"), Insert(2, "b")], "overlap", id="insert in replaced"
        ),
        pytest.param("a\n", lambda s: [Before(ast.Pass(), "x")], "no statement of", id="another tree"),
        pytest.param("a\n", lambda s: [Insert(9, "x")], "offset", id="out of the text"),
    ],
)
def test_contradictions_are_errors(text: str, edits: Edits, message: str) -> None:
    with pytest.raises(EditError, match=message):
        edited(text, edits)


def test_an_else_that_holds_an_if_is_no_elif() -> None:
    text = "if a:\n    b\nelse:\n    if c:\n        d\n"
    assert edited(text, lambda s: [Before(s[2], "x")]) == "if a:\n    b\nelse:\n    x\n    if c:\n        d\n"


def test_equal_replacements_are_one() -> None:
    assert edited("a", lambda s: [Replace(Span(0, 1), "b"), Replace(Span(0, 1), "b")]) == "b"
