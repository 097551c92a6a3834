"""A further reading goes on from where an earlier one was; that it finds the same is what all cases show."""

from __future__ import annotations

import ast

import pytest

from corro.flow import bookmarks
from corro.flow.bookmarks import Bookmark
from corro.flow.budget import STEPS_LOOKED_UP, Budget
from corro.flow.facts import Facts, Unit
from corro.flow.interpreter import interpret
from corro.frontends.pytorch.semantics import PyTorchSemantics
from corro.names import Names
from corro.source import SourceFile

TEXT = """
import helpers

def doubled(x):
    return x + x

a = doubled(helpers.start)
b = [doubled(a), doubled(3)]
c = doubled(b[0])
print(c)
"""
HELPERS = "start = 1\n" + "".join(f"x{number} = [{number}, start]\n" for number in range(20))


def unit(text: str, name: str) -> Unit:
    file = SourceFile.from_text(text, f"{name}.py")
    return Unit(file, Names(file), name)


class Reader:
    """Reads a script again and again, and tells what each reading takes."""

    def __init__(self) -> None:
        self.script, self.helpers = unit(TEXT, "__main__"), unit(HELPERS, "helpers")
        self.bookmarks: list[Bookmark] = []

    def read(self, assumed: frozenset[ast.AST] = frozenset(), *, anew: bool = False) -> tuple[Facts, int]:
        budget = Budget(10_000)

        def find(importer: Unit, module: str) -> Unit | None:
            return self.helpers if module == "helpers" else None

        semantics, marks = PyTorchSemantics(assumed=assumed), [] if anew else self.bookmarks
        facts = interpret(self.script, semantics, find, budget, bookmarks=marks)
        return facts, 10_000 - budget.left

    def node(self, text: str) -> ast.AST:
        source = self.script.source
        return next(each for each in source.nodes if isinstance(each, ast.expr) and source.segment(each) == text)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    monkeypatch.setattr(bookmarks, "STEPS_APART", 1)
    monkeypatch.setattr(bookmarks, "GROWTH", 1)
    return Reader()


def seen(facts: Facts) -> list[object]:
    """What a reading has found, in its order."""
    calls = [(fact.node, fact.args, fact.result, fact.order) for fact in facts.calls]
    return [facts.values, facts.elements, facts.numbers, facts.nodes[1:], facts.units, list(facts.files), calls]


def test_what_is_read_alike_is_not_read_again(reader: Reader) -> None:
    first, whole = reader.read()
    again, steps = reader.read()
    assert seen(again) == seen(first)
    assert steps <= whole // STEPS_LOOKED_UP + 6, "a tenth for what is taken up, and the last statement"


def test_what_is_read_otherwise_is_read_again(reader: Reader) -> None:
    _, whole = reader.read()
    late, early = (frozenset({reader.node(text)}) for text in ("doubled(b[0])", "doubled(helpers.start)"))
    for assumed in (late, early):
        again, steps = reader.read(assumed)
        alone, _ = reader.read(assumed, anew=True)
        assert seen(again) == seen(alone)
        assert steps < whole // 2, "the module is not run again"


def test_a_function_that_was_called_before_is_read_again(reader: Reader) -> None:
    _, whole = reader.read()
    inside = frozenset({reader.node("x + x")})
    again, steps = reader.read(inside)
    assert seen(again) == seen(reader.read(inside, anew=True)[0])
    assert whole // STEPS_LOOKED_UP < steps < whole // 2, "from before the first call of the function"


def test_an_earlier_reading_is_as_it_was(reader: Reader) -> None:
    first, _ = reader.read()
    before = [repr(each) for each in seen(first)]
    reader.read(frozenset({reader.node("doubled(b[0])")}))
    assert [repr(each) for each in seen(first)] == before
