"""Calls of ``launch`` as text."""

from __future__ import annotations

import pytest

from corro.errors import UsageError
from corro.notebook._launched import calls, plainly, spellings


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ("import corro.notebook\nr = corro.notebook.launch(f, 1, processes=2)", "import corro.notebook\nr = f(1)"),
        ("from corro.notebook import launch\nlaunch(f, *a, x=1, to='ddp', **k)", None),
        ("from corro.notebook import launch as go\na = b = go(\n    m.f,\n    processes=2)\na", None),
        ("import corro.notebook as n\nn.launch(f)", "import corro.notebook as n\nf()"),
        ("from corro import notebook\nnotebook.launch(f)", "from corro import notebook\nf()"),
        ("def launch(f): pass\nlaunch(f, 1)", "def launch(f): pass\nlaunch(f, 1)"),
        ("launch = 3\n!ls", "launch = 3\n!ls"),
    ],
)
def test_a_call_as_processes_make_it(cell: str, plain: str | None) -> None:
    known = {
        1: "from corro.notebook import launch\nf(*a, x=1, **k)",
        2: "from corro.notebook import launch as go\na = b = m.f()\n\n\na",
    }
    expected = plain or known[1 if "**k" in cell else 2]
    assert plainly(cell, spellings([cell])) == expected


def test_the_import_may_stand_in_another_cell() -> None:
    assert plainly("launch(f)", spellings(["from corro.notebook import launch", "launch(f)"])) == "f()"


@pytest.mark.parametrize("line", ["print(launch(f))", "for i in x:\n    launch(f)", "launch()", "launch(launch(f))"])
def test_a_call_within_something_else(line: str) -> None:
    cell = f"from corro.notebook import launch\n{line}"
    with pytest.raises(UsageError, match="by itself"):
        list(calls(cell, spellings([cell])))
