"""Modules import each other one way: there are no circles but of types, functions' own imports included."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

SOURCES = Path(__file__).parents[2] / "src"


def modules(root: Path) -> dict[str, Path]:
    """The files below a folder by their dotted names."""
    paths = {path: path.relative_to(root).with_suffix("").parts for path in sorted(root.rglob("*.py"))}
    return {".".join(parts[:-1] if parts[-1] == "__init__" else parts): path for path, parts in paths.items()}


def runs(node: ast.AST) -> Iterator[ast.AST]:
    """A node with what is in it, but what only a type checker reads."""
    yield node
    typing = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
    for child in node.orelse if typing and isinstance(node, ast.If) else ast.iter_child_nodes(node):
        yield from runs(child)


def imports(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules among those known that a file imports, at its top or in its functions."""
    found: set[str] = set()
    for node in runs(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {part if part in known else str(node.module) for part in parts}
    return {name for name in found if name in known and known[name] != path}


def circle(root: Path) -> list[str]:
    """A circle of modules, the first of them again at its end; nothing where there is none."""
    known = modules(root)
    try:
        TopologicalSorter({name: imports(path, known) for name, path in known.items()}).prepare()
    except CycleError as error:
        return [str(name) for name in error.args[1]]
    return []


def test_there_are_no_circles() -> None:
    assert circle(SOURCES) == []


@pytest.mark.parametrize("way", ["import a", "from a import thing", "def f():\n    from a import thing"])
def test_a_circle_is_found(tmp_path: Path, way: str) -> None:
    (tmp_path / "a.py").write_text("from b import f\nthing = 1\n")
    (tmp_path / "b.py").write_text(f"{way}\n")
    assert set(circle(tmp_path)) == {"a", "b"}


def test_types_may_go_round(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import f\nthing = 1\n")
    (tmp_path / "b.py").write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from a import thing\n")
    assert circle(tmp_path) == []
