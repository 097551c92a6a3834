"""Under which conditions a place is come to, and whether several cover all cases."""

from __future__ import annotations

import ast
from itertools import product

import pytest

from corro.flow.facts import Unit
from corro.frontends.conditions import are_exhaustive, around, of_test, together, unknown
from corro.names import Names
from corro.source import SourceFile


def parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def said(text: str, *, holds: bool = True) -> set[frozenset[str]]:
    return {frozenset(("" if c.holds else "not ") + c.text for c in way) for way in of_test(parsed(text), holds=holds)}


@pytest.mark.parametrize(
    ("text", "holds", "ways"),
    [
        ("a", True, [{"a"}]),
        ("not a", True, [{"not a"}]),
        ("a and b", True, [{"a", "b"}]),
        ("a and b", False, [{"not a"}, {"not b"}]),
        ("a or not b", True, [{"a"}, {"not b"}]),
        ("a or b", False, [{"not a", "not b"}]),
        ("n not in names", True, [{"not n in names"}]),
        ("x != y", False, [{"x == y"}]),
        ("(a or b) and c", True, [{"a", "c"}, {"b", "c"}]),
        ("a < b < c", True, [{"a < b < c"}]),
    ],
)
def test_the_ways_of_a_test(text: str, holds: bool, ways: list[set[str]]) -> None:
    assert said(text, holds=holds) == set(map(frozenset, ways))


TESTS = ["a", "not a", "a and b", "a or b", "not (a or b)", "a and not b", "b", "(a or b) and c", "not c or a"]


@pytest.mark.parametrize(("first", "second"), [*product(TESTS, TESTS)])
def test_what_covers_all_cases_does(first: str, second: str) -> None:
    """Held against a table of all cases."""
    cases = [dict(zip("abc", values, strict=True)) for values in product((True, False), repeat=3)]
    wanted = all(eval(first, {}, case) or eval(second, {}, case) for case in cases)
    assert are_exhaustive([*of_test(parsed(first)), *of_test(parsed(second))]) is wanted


def test_nothing_is_the_opposite_of_what_is_not_known() -> None:
    node = parsed("a")
    assert not are_exhaustive([*unknown(node), *of_test(parsed("b")), *of_test(parsed("b"), holds=True)])
    assert are_exhaustive([*unknown(node), ()])
    assert not are_exhaustive([])


def test_very_many_ways_are_one_that_is_not_known() -> None:
    many = [of_test(parsed(f"a{n} or b{n}")) for n in range(8)]
    assert len(together(many)) == 1
    assert not are_exhaustive(together(many))


PLACES = """\
def f(model):
    for p in model.parameters():
        if not p.requires_grad:
            continue
        if p.ndim > 1:
            here.append(p)
        elif large:
            there.append(p)
        else:
            for q in p:
                break
            rest.append(p)
    if done:
        return early
    return late
"""


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("here", [{"p.requires_grad", "p.ndim > 1"}]),
        ("there", [{"p.requires_grad", "not p.ndim > 1", "large"}]),
        ("rest", [{"p.requires_grad", "not p.ndim > 1", "not large"}]),
        ("early", [{"done"}]),
        ("late", [{"not done"}]),
    ],
)
def test_the_way_to_a_place(name: str, ways: list[set[str]]) -> None:
    source = SourceFile.from_text(PLACES, "train.py")
    unit = Unit(source, Names(source), "__main__")
    node = next(each for each in ast.walk(source.tree) if isinstance(each, ast.Name) and each.id == name)
    found = around(unit, node, source.tree.body[0])
    assert {frozenset(("" if c.holds else "not ") + c.text for c in way) for way in found} == set(map(frozenset, ways))
