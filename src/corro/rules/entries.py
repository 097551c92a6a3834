"""Shared by rules: which file runs the code of a file that does nothing by itself."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from corro.errors import SourceError
from corro.rules.places import main_guard
from corro.source import SourceFile, read_source

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST_FILES = 100
"""More files of one folder are not read to give advice."""


def entry_of(source: SourceFile, *, idle: bool = True) -> str:
    """The one file of a project that imports a script and runs, else empty; where the script is ``idle`` itself."""
    path = Path(source.path).resolve()
    if not path.is_file() or (idle and _runs(source.tree)):
        return ""
    on_the_way, entries = [path], list[Path]()
    for each in on_the_way:  # grows on the way
        for other, runs in _importing(each):
            if other not in on_the_way and other not in entries:
                (entries if runs else on_the_way).append(other)
    return entries[0].name if len(entries) == 1 else ""


def _folders(path: Path) -> Iterator[Path]:
    """From where a file may be imported: its folder, those of the packages around it, and the one above."""
    folder = path.parent
    yield folder
    while (folder / "__init__.py").is_file():
        folder = folder.parent
        yield folder
    if folder == path.parent:
        yield folder.parent


def _importing(path: Path) -> Iterator[tuple[Path, bool]]:
    """The files that import another one, with whether they do something by themselves."""
    for folder in _folders(path):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        for other in islice(sorted(folder.glob("*.py")), _MOST_FILES):
            if other == path or path.stem.encode() not in other.read_bytes():
                continue
            try:
                file = read_source(other)
                imported = {name for name, _ in file.imports} | set(_parts(file))
            except SourceError:
                continue
            if module in imported:
                yield other, _runs(file.tree)


def _parts(file: SourceFile) -> Iterator[str]:
    """The dotted names of ``from package import module``."""
    for node in file.nodes.of(ast.ImportFrom):
        if not node.level:
            yield from (f"{node.module}.{each.name}" for each in node.names)


def _runs(tree: ast.Module) -> bool:
    """Whether a file does something by itself."""
    calls = (node for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call))
    return main_guard(tree) is not None or any(calls) or any(isinstance(node, ast.For) for node in tree.body)
