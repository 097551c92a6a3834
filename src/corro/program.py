"""A program: the script and its project modules, found where Python would find them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from corro.flow.facts import Unit
from corro.names import Names
from corro.source import SourceFile


class Program:
    """The script and the modules of its own, read once each."""

    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self._folder = Path(source.path).resolve().parent
        self._sources: dict[Path, SourceFile] = {}
        self._known: dict[Path, Unit] = {}

    @cached_property
    def script(self) -> Unit:
        """The script itself."""
        return Unit(self.source, Names(self.source.tree), "__main__")

    def find(self, importer: Unit, module: str) -> Unit | None:
        """The file of a module beside the script, as Python would find it."""
        path = self._path(importer.source, module)
        if path is None:
            return None
        if path not in self._known:
            source = self._read(path)
            self._known[path] = Unit(source, Names(source.tree), module)
        return self._known[path]

    def find_source(self, importer: SourceFile, module: str) -> SourceFile | None:
        """The file of a module of the script's own, read and no more."""
        path = self._path(importer, module)
        return self._read(path) if path is not None else None

    def source_of(self, path: str) -> SourceFile:
        """The file of a project module that was found."""
        return self._sources[Path(path)]

    def _read(self, path: Path) -> SourceFile:
        if path not in self._sources:
            self._sources[path] = SourceFile.read(path)
        return self._sources[path]

    def _path(self, importer: SourceFile, module: str) -> Path | None:
        level = len(module) - len(module.lstrip("."))
        folder = self._folder
        if level:
            folder = Path(importer.path).resolve().parent
            for _ in range(level - 1):
                folder = folder.parent
        base = folder.joinpath(*[part for part in module.lstrip(".").split(".") if part])
        for path in (base.with_suffix(".py") if base != folder else base / "__init__.py", base / "__init__.py"):
            if path.is_file():
                return path
        return None
