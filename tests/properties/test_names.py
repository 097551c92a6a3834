"""Names against two oracles: Python's own ``symtable`` for scopes, LibCST for qualified names."""

from __future__ import annotations

import ast
import random
import symtable
import sys
import sysconfig
import warnings
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import libcst
import libcst.matchers
import pytest
import torch
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameProvider, QualifiedNameSource

from corro.errors import SourceError
from corro.names import Names
from corro.source import SourceFile, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDLIB = Path(sysconfig.get_paths()["stdlib"])


def python_files(root: Path, count: int, most: int = 60_000) -> list[Path]:
    """A sample of the Python files under ``root``, the same each time; none has more than ``most`` bytes."""
    found = (path for path in root.rglob("*.py") if "site-packages" not in path.relative_to(root).parts)
    files = sorted(path for path in found if path.stat().st_size <= most)
    return random.Random(20).sample(files, min(count, len(files)))


def parse(path: Path) -> SourceFile | None:
    try:
        source = read_source(path)
        _ = source.tree
    except SourceError:  # test data of the standard library that is no Python, on purpose
        return None
    return source


def tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from tables(child)


Bound = Counter[tuple[str, int, frozenset[str]]]
"""What each function, class, lambda and comprehension binds, by its name and line."""


def bound_by_symtable(text: str) -> Bound:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        top = symtable.symtable(text, "file", "exec")
    found: Bound = Counter()
    for table in tables(top):
        if table is not top:
            symbols = (symbol.get_name() for symbol in table.get_symbols() if symbol.is_local())
            found[table.get_name(), table.get_lineno(), comparable(symbols)] += 1
    return found


def comparable(names: Iterable[str]) -> frozenset[str]:
    """The names but for ``.0``, a comprehension's iterator, and private ones, which ``symtable`` mangles."""
    return frozenset(name for name in names if name != ".0" and "__" not in name)


LABELS = {
    ast.Lambda: "lambda",
    ast.ListComp: "listcomp",
    ast.SetComp: "setcomp",
    ast.DictComp: "dictcomp",
    ast.GeneratorExp: "genexpr",
}


def bound_by_us(source: SourceFile) -> Bound:
    names = Names(source)
    found: Bound = Counter()
    for node in ast.walk(source.tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found[node.name, node.lineno, comparable(names.body(node).bound)] += 1
        elif isinstance(node, tuple(LABELS)):
            assert isinstance(node, ast.expr)
            found[LABELS[type(node)], node.lineno, comparable(names.body(node).bound)] += 1
    return found


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="symtable shows comprehensions as part of their function")
@pytest.mark.parametrize("path", python_files(STDLIB, 120), ids=lambda path: path.name)
def test_scopes_bind_what_symtable_says(path: Path) -> None:
    source = parse(path)
    if source is not None:
        assert bound_by_us(source) == bound_by_symtable(source.text)


def calls(source: SourceFile) -> dict[tuple[int, int], frozenset[str]]:
    """Our names of what is called, by the place of the call."""
    names = Names(source)
    found = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and source.has_reliable_span(node.func):
            place = source.place(node.func)
            found[place.line, place.column - 1] = names.qualified(node.func)
    return found


def libcst_calls(text: str) -> dict[tuple[int, int], frozenset[str]]:
    """The names by LibCST, of what is called and imported."""
    wrapper = MetadataWrapper(libcst.parse_module(text), unsafe_skip_copy=True)
    places = wrapper.resolve(PositionProvider)
    names = wrapper.resolve(QualifiedNameProvider)
    found: dict[tuple[int, int], frozenset[str]] = {}
    for node in libcst.matchers.findall(wrapper.module, libcst.matchers.Call()):
        assert isinstance(node, libcst.Call)
        named = names.get(node.func, set())
        named = named() if callable(named) else named
        chain = isinstance(node.func, (libcst.Name, libcst.Attribute))
        if chain and all(name.source is QualifiedNameSource.IMPORT for name in named):
            start = places[node.func].start
            found[start.line, start.column] = frozenset(name.name for name in named)
    return found


def test_calls_have_the_names_that_libcst_gives_them() -> None:
    """Our names are LibCST's wherever it knows an import; we alone follow aliases, and give up on rebound names."""
    compared = 0
    for path in python_files(Path(torch.__file__).parent, 60, most=25_000):
        source = read_source(path)
        ours = calls(source)
        for place, theirs in libcst_calls(source.text).items():
            compared += bool(theirs)
            assert not theirs or ours[place] == theirs, (path, place)
    assert compared > 300


@pytest.mark.parametrize("path", python_files(STDLIB, 60), ids=lambda path: path.name)
def test_every_name_of_the_standard_library_can_be_asked_about(path: Path) -> None:
    source = parse(path)
    if source is None:
        return
    names = Names(source)
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Name):
            owner = names.binding(node)
            assert node in names.uses(node.id, owner)
            assert owner is None or node.id in owner.bound
            names.qualified(node)
