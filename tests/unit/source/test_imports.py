"""Where new imports go."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest

from corro.source import After, Before, Edit, EditError, Import, Remove, SourceFile, apply

CASES = [
    ("after the imports", "import os\nfrom a import b\n\nx = 1\n", "import os\nfrom a import b\nimport new\n\nx = 1\n"),
    ("after the docstring", '"""Doc."""\n\nx = 1\n', '"""Doc."""\n\nimport new\n\nx = 1\n'),
    (
        "after the future",
        "from __future__ import annotations\n\nx = 1\n",
        "from __future__ import annotations\nimport new\n\nx = 1\n",
    ),
    ("after the author", "__author__ = 'a'\n\nimport os\nx\n", "__author__ = 'a'\n\nimport os\nimport new\nx\n"),
    ("only the author", "__author__ = 'a'\nx\n", "import new\n\n__author__ = 'a'\nx\n"),
    (
        "after a try",
        "import os\ntry:\n    import a\nexcept ImportError:\n    a = None\nx\n",
        "import os\ntry:\n    import a\nexcept ImportError:\n    a = None\nimport new\nx\n",
    ),
    (
        "after a try that notes what it found",
        "import os\ntry:\n    import a\n    found = True\nexcept ImportError:\n    found = False\nx\n",
        "import os\ntry:\n    import a\n    found = True\nexcept ImportError:\n    found = False\nimport new\nx\n",
    ),
    (
        "before a try that works",
        "import os\ntry:\n    import a\n    a.start()\nexcept ImportError:\n    pass\nimport b\nx\n",
        "import os\nimport new\ntry:\n    import a\n    a.start()\nexcept ImportError:\n    pass\nimport b\nx\n",
    ),
    (
        "after TYPE_CHECKING",
        "import os\nif TYPE_CHECKING:\n    import a\nx\n",
        "import os\nif TYPE_CHECKING:\n    import a\nimport new\nx\n",
    ),
    (
        "after the shebang",
        "#!/usr/bin/env python\n# Notes.\n\nx = 1\n",
        "#!/usr/bin/env python\n# Notes.\n\nimport new\n\nx = 1\n",
    ),
    ("at the top", "x = 1\n", "import new\n\nx = 1\n"),
    ("into nothing", "", "import new\n"),
    ("into comments", "# only\n", "# only\nimport new\n"),
    ("before the rest", "import os\nx = 1\nimport late\n", "import os\nimport new\nx = 1\nimport late\n"),
    ("with a comment", "import os  # c\n", "import os  # c\nimport new\n"),
    ("crlf", "import os\r\nx\r\n", "import os\r\nimport new\r\nx\r\n"),
    ("without line end", "import os", "import os\nimport new"),
    ("two on a line", "import os; import sys\n", "import os; import sys\nimport new\n"),
    ("already there", "import os\nimport new\n", "import os\nimport new\n"),
    ("already there, behind settings", "import os\nos.environ['A'] = ''\nimport new\n", None),
    ("there, but later", "import os\nx = 1\nimport new\n", "import os\nimport new\nx = 1\nimport new\n"),
    ("under another name", "import new as n\n", "import new as n\nimport new\n"),
    ("within a function", "import os\ndef f():\n    import new\n", "import os\nimport new\ndef f():\n    import new\n"),
    (
        "after definitions",
        "import os\ndef f(): pass\nimport new\n",
        "import os\nimport new\ndef f(): pass\nimport new\n",
    ),
]


@pytest.mark.parametrize(("text", "expected"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_place(text: str, expected: str | None) -> None:
    """``None``: as it is."""
    assert apply(SourceFile.from_text(text), [Import("import new")]) == (text if expected is None else expected)


def test_sorted_and_each_once() -> None:
    edits = [
        Import("from b import c"),
        Import("import z", order=1),
        Import("import torch.distributed as dist"),
        Import("from a import d"),
        Import("from b import c"),
    ]
    expected = "import os\nimport torch.distributed as dist\nfrom a import d\nfrom b import c\nimport z\n"
    assert apply(SourceFile.from_text("import os\n"), edits) == expected


@pytest.mark.parametrize(
    ("text", "wanted", "needed"),
    [
        ("from a import b, c\n", "from a import c", False),
        ("from a import b\n", "from a import b, c", True),
        ("from a import b as c\n", "from a import b", True),
        ("from .a import b\n", "from a import b", True),
        ("import a.b\n", "import a.b", False),
        ("import a.b\n", "import a", True),
    ],
)
def test_only_what_is_missing(text: str, wanted: str, needed: bool) -> None:
    assert (apply(SourceFile.from_text(text), [Import(wanted)]) != text) is needed


def test_before_other_lines_and_where_an_import_is_removed() -> None:
    source = SourceFile.from_text("import os\nx\n")
    assert apply(source, [After(source.tree.body[0], "y"), Import("import new")]) == "import os\nimport new\ny\nx\n"
    assert apply(source, [Remove(source.tree.body[0]), Import("import new")]) == "import new\nx\n"


def test_what_is_no_import_is_an_error() -> None:
    with pytest.raises(EditError, match="no import"):
        apply(SourceFile.from_text(""), [Import("x = 1")])


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda body: Before(body[1], "start()\n"), "import os\nimport new\nstart()\nimport b\nx\n"),
        (lambda body: After(body[0], "start()"), "import os\nimport new\nstart()\nimport b\nx\n"),
    ],
    ids=["before", "after"],
)
def test_in_front_of_other_new_lines(edit: Callable[[list[ast.stmt]], Edit], expected: str) -> None:
    source = SourceFile.from_text("import os\nimport b\nx\n")
    assert apply(source, [Import("import new"), edit(source.tree.body)]) == expected


def test_there_but_behind_other_new_lines() -> None:
    source = SourceFile.from_text("try:\n    f()\nexcept OSError:\n    pass\nimport new\n")
    edits: list[Edit] = [Import("import new"), Before(source.tree.body[0], "new.start()\n")]
    assert apply(source, edits).startswith("import new\n\nnew.start()\ntry:")
