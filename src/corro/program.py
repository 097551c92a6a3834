"""A program: the script and its project modules, found where Python would find them."""

from __future__ import annotations

import ast
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corro.errors import SourceError
from corro.flow.facts import Unit
from corro.flow.python import asks_for_main
from corro.flow.values import is_like
from corro.names import Names
from corro.source import SourceFile, read_source
from corro.source.finder import Finder
from corro.source.modules import modules_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")


class Program:
    """The script and its project modules, read once each.

    Args:
        source: the script.
        is_known: whether a top-level module is of a known library, which need not be installed here.
    """

    def __init__(self, source: SourceFile, is_known: Callable[[str], bool] = lambda name: False) -> None:
        self.source = source
        self._finder = Finder(source, is_known)
        self._sources: dict[Path, SourceFile] = {}
        self._units: dict[Path, Unit] = {}
        self._tops: dict[Path, Path] = {}
        self._waiting: list[tuple[list[ast.stmt], SourceFile, str]] = []

    @cached_property
    def files(self) -> tuple[SourceFile, ...]:
        """The script, and the project modules that it, or one of them, imports: first what runs without a call."""
        self._load(self._finder.package)
        self._run(self.source.tree.body, self.source, self._finder.package)
        for function, file, package in self._waiting:  # grows on the way
            self._run(function, file, package)
        return (self.source, *self._sources.values())

    @cached_property
    def script(self) -> Unit:
        """The script itself."""
        package = self._finder.package
        return Unit(self.source, Names(self.source), "__main__", package, self._around(f"{package}."))

    def find(self, importer: Unit, module: str) -> Unit | None:
        """A project module by its dotted name, maybe with dots in front, and who imports it; else ``None``."""
        return self._unit(self._finder.absolute(module, importer.package))

    def like(self, pattern: str) -> tuple[str, ...]:
        """The project modules whose names are like a text, in one package; none where others may be meant."""
        package, _, name = pattern.rpartition(".")
        found = self._finder.find(package) if package and self.files else None
        if found is None or set(package) & set("*|") or not found.folders:
            return ()
        names = tuple(f"{package}.{each}" for each in modules_in(found.folders) or () if is_like(each, name))
        try:
            return names if all(self._unit(each) is not None for each in names) else ()
        except SourceError:  # one that this Python cannot read stands among them
            return ()

    def has(self, module: str) -> bool:
        """Whether there is a project module of this name for the script."""
        return self.find(self.script, module) is not None

    @property
    def doubtful(self) -> Mapping[str, tuple[Path, ...]]:
        """The top-level modules that several folders of the project have, with those: it may be any of them."""
        return self._finder.doubtful if self.files else {}

    @property
    def root(self) -> Path:
        """The folder that has the script and its project modules in it, from where these are found by their names.

        One outside of the project does not count.
        """
        return self._finder.around(self.top_of(file.path.resolve()) for file in self.files)

    def top_of(self, file: Path) -> Path:
        """The folder that has to be on Python's path for a project module to be found by its name."""
        return self._tops.get(file, file.parent) if self.files else file.parent

    @property
    def package(self) -> str:
        """The package that the script has to be started in, as by ``python -m``; empty where its path will do."""
        return self._finder.started_in

    def source_of(self, path: str) -> SourceFile:
        """The file of a project module that was found."""
        return self._sources[Path(path)]

    def _unit(self, name: str) -> Unit | None:
        found = self._finder.find(name) if name and self.files else None
        if found is None or found.file is None:
            return None
        if found.file not in self._units:
            source = self._sources.setdefault(found.file, read_source(found.file))
            package = name if found.folders else name.rpartition(".")[0]
            self._units[found.file] = Unit(source, Names(source), name, package, self._around(name))
        return self._units[found.file]

    def _around(self, name: str) -> Unit | None:
        """The package that is imported before a module of this name."""
        outer = name.rpartition(".")[0]
        return (self._unit(outer) or self._around(outer)) if outer else None

    # ------------------------------------------------------------------ what is imported, in its order

    def _run(self, body: Iterable[ast.stmt], file: SourceFile, package: str) -> None:
        for node in _executed(body, is_program=file is self.source):
            if isinstance(node, _FUNCTIONS):
                self._waiting.append((node.body, file, package))
            self._finder.run(node, file)
            for module in _imported(node):
                self._load(self._finder.absolute(module, package))
            if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
                self._load_listed(self._finder.absolute(_module(node), package))

    def _load(self, dotted: str) -> None:
        """Import a module, after the packages around it."""
        found = self._finder.find(dotted) if dotted else None
        if found is None:
            return
        self._load(dotted.rpartition(".")[0])
        if found.file is None or found.file in self._sources:
            return
        file = self._sources[found.file] = read_source(found.file)
        self._tops[found.file.resolve()] = found.file.resolve().parents[dotted.count(".") + bool(found.folders)]
        self._run(file.tree.body, file, dotted if found.folders else dotted.rpartition(".")[0])

    def _load_listed(self, package: str) -> None:
        """Import the modules that a package lists for ``from package import *``."""
        found = self._finder.find(package)
        for statement in self._sources[found.file].tree.body if found and found.file in self._sources else ():
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
                for part in ast.walk(statement):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        self._load(f"{package}.{part.value}")


def _executed(body: Iterable[ast.stmt], *, is_program: bool) -> Iterator[ast.stmt]:
    """Statements in the order of the text, with those in blocks; what a function does is not among them."""
    for node in body:
        yield node
        if isinstance(node, _FUNCTIONS):
            continue
        for name in _BLOCKS:
            if name == "body" and isinstance(node, ast.If) and _is_false(node.test, is_program=is_program):
                continue
            for each in getattr(node, name, ()):
                yield from _executed([each] if isinstance(each, ast.stmt) else each.body, is_program=is_program)


def _is_false(test: ast.expr, *, is_program: bool) -> bool:
    """Whether a condition says that something is for the checker of types, or for a program and this is none."""
    if isinstance(test, (ast.Name, ast.Attribute)):
        return (test.id if isinstance(test, ast.Name) else test.attr) == "TYPE_CHECKING"
    for_main = asks_for_main(test)
    return for_main is not None and for_main != is_program


def _imported(node: ast.stmt) -> Iterator[str]:
    """The modules that an import may load, with dots in front as they are written."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        module = _module(node)
        yield module
        yield from (f"{module}.{alias.name}" if node.module else module + alias.name for alias in node.names)


def _module(node: ast.ImportFrom) -> str:
    """The module that names are imported from, with dots in front as they are written."""
    return "." * node.level + (node.module or "")
