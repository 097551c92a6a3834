"""A script cut into cells becomes the same program, cell by cell."""

from __future__ import annotations

import ast
import copy
import json
import random
import shutil
from pathlib import Path
from typing import TypeGuard

import pytest

from cases_support import Case, discover
from corro.compiler import Options, compile_file, compile_source
from corro.plan import Outcome
from corro.source import SourceFile, read_source
from notebook_support import notebook, sources


def _is_cut_well(case: Case) -> bool:
    """Not those that are about their bytes, or about neighbours: cells change both."""
    if case.before.suffix != ".py" or case.topic in ("layout", "already"):
        return False
    if any("from before" in each.read_text(encoding="utf-8") for each in case.folder.glob("*.py")):
        return False  # a module of its own that imports it
    return not any(mark in case.before.read_text(encoding="utf-8", errors="replace") for mark in ("\r", "__file__"))


CASES = [case for case in discover() if _is_cut_well(case)][::3]


def cut(text: str, chance: random.Random) -> list[str]:
    """The lines of a script in some cells, each of whole statements."""
    starts = [1]
    for stmt in ast.parse(text).body[1:]:
        first = min([stmt.lineno, *(each.lineno for each in getattr(stmt, "decorator_list", ()))])
        if chance.random() < 0.4 and first > starts[-1] and not text.split("\n")[first - 1][: stmt.col_offset].strip():
            starts.append(first)
    lines = text.split("\n")
    return ["\n".join(lines[a - 1 : b - 1]) for a, b in zip(starts, [*starts[1:], len(lines) + 1], strict=True)]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_cells_do_not_matter(case: Case, tmp_path: Path) -> None:
    chance = random.Random(str(case))
    target = chance.choice(case.targets)
    folder = shutil.copytree(case.folder, tmp_path / "case")
    text = case.before.read_text(encoding="utf-8")
    path = folder / "before.ipynb"
    path.write_text(json.dumps(notebook(*cut(text, chance))), encoding="utf-8")
    script, book = (compile_file(each, target, **case.how) for each in (folder / "before.py", path))
    assert book.plan.outcome is script.plan.outcome
    assert [f.rule for f in book.plan.findings if f.rule != "notebook"] == [f.rule for f in script.plan.findings]
    if book.text is None:
        return
    data = book.source.encode(book.text, ".ipynb")
    for cell in sources(data):
        ast.parse(cell)
    by_cells, whole = SourceFile.from_text(book.text), SourceFile.from_text(script.text or "")
    assert unguarded(by_cells) == unguarded(whole)
    inside = {statement for block in scopes(by_cells) for statement in block}
    assert inside <= {statement for block in scopes(whole) for statement in block}
    for block in scopes(whole):  # what stands between two that belong there may be left outside, in a cell of its own
        assert {block[0], block[-1]} <= inside
    path.write_bytes(data)
    again = compile_source(read_source(path), Options(target, **case.how))
    assert again.plan.outcome is Outcome.ALREADY_DISTRIBUTED


def unguarded(source: SourceFile) -> list[str]:
    """The statements of a program one by one; a guard or scope that ends with its cell is as one that does not.

    Without the check that a launcher was used, and its import: of a notebook, the first cell says how it is started.
    """
    found: list[str] = []
    for stmt in _Started().visit(copy.deepcopy(source.tree)).body:
        if isinstance(stmt, ast.If) and not stmt.orelse and "rank" in ast.unparse(stmt.test):
            found += (f"guarded: {ast.unparse(inner)}" for inner in stmt.body)
        elif _is_scope(stmt):
            found += map(ast.unparse, stmt.body)
        else:
            found.append(ast.unparse(stmt))
    return found


class _Started(ast.NodeTransformer):
    """Takes the check out, and imports of ``os``."""

    def visit_If(self, node: ast.If) -> ast.AST | None:
        return None if ast.unparse(node.test).startswith("'RANK' not in ") else self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return None if node.names[0].name == "os" else node


def scopes(source: SourceFile) -> list[list[str]]:
    """The statements under each scope of a strategy."""
    return [[ast.unparse(inner) for inner in stmt.body] for stmt in source.tree.body if _is_scope(stmt)]


def _is_scope(stmt: ast.stmt) -> TypeGuard[ast.With]:
    return isinstance(stmt, ast.With) and ast.unparse(stmt.items[0]).endswith(".scope()")
