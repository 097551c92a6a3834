"""Which modules are a project's own: found where Python finds them when the script is started."""

from __future__ import annotations

import ast
import os
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from corro.classes import dataclass, field
from corro.source.modules import AT_START, Module, find_along, find_in, in_installation, is_installed
from corro.source.search_path import PathChanges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corro.source.file import SourceFile

_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
_SIGNS = ("sys.path", "addsitedir", "import path")
"""A file without any of these leaves the path as it is."""

Places = tuple[Path, ...]
"""One entry of the path: several folders where it depends on the one that the program is started in."""


@dataclass(eq=False)
class Finder:
    """The path along which project modules are found, as it is while the program runs.

    A top-level module is looked for once, when it is first imported, as in Python. What is neither on the path nor
    installed is looked for in the project around the script, as if it was installed from there, or its root was on
    ``PYTHONPATH``. Where two folders of the project have it, none is taken.

    Args:
        entry: the script.
        is_known: whether a top-level module is of a known library, which need not be installed here.
        doubtful: the top-level modules of which none was taken, each with the folders that have it.
    """

    entry: SourceFile
    is_known: Callable[[str], bool]
    doubtful: dict[str, tuple[Path, ...]] = field(default_factory=dict)
    _tops: dict[str, Module] = field(default_factory=dict)
    _elsewhere: set[str] = field(default_factory=set)
    _having: dict[str, list[Path]] = field(default_factory=dict)
    _changes: dict[Path, list[PathChanges]] = field(default_factory=dict)

    # ------------------------------------------------------------------ how the script is started

    @cached_property
    def _folder(self) -> Path:
        return self.entry.path.resolve().parent

    @cached_property
    def package(self) -> str:
        """The package of a script with relative imports, which ``python -m`` starts; empty for others."""
        level = max((_level(node) for node in self.entry.statements), default=0)
        folder, names = self._folder, list[str]()
        while level and folder.name and (len(names) < level or (folder / "__init__.py").is_file()):
            names.insert(0, folder.name)
            folder = folder.parent
        return ".".join(names)

    @cached_property
    def _above_package(self) -> Path:
        return self._folder.parents[self.package.count(".")]

    @cached_property
    def _first(self) -> Path:
        """The first entry of the path: the script's folder, or the one that ``python -m`` is started in."""
        return self._above_package if self.started_in else self._folder

    @property
    def started_in(self) -> str:
        """The package of a script that ``python -m`` has to start; empty for one that is started by its path."""
        return self.package if any(map(_level, self.entry.tree.body)) else ""

    @cached_property
    def _root(self) -> Path:
        """The project around the script, or the repository around the project; where there is none, its folder."""
        found = None
        for folder in (self._folder, *self._folder.parents):
            if (folder / ".git").exists():
                return folder
            found = folder if found is None and _is_project(folder) else found
        return found or self._folder

    @cached_property
    def _is_library(self) -> bool:
        """Whether the project is made to be installed: then a package of a library's name in it is that library."""
        return any(_is_project(folder) for folder in self._nearby)

    @cached_property
    def _nearby(self) -> tuple[Path, ...]:
        """The folders of the project that may be on the path without the script's word."""
        if in_installation(self._folder):
            return ()
        folders = [each for each in (self._folder, *self._folder.parents) if each.is_relative_to(self._root)]
        top = self._folder
        while (top / "__init__.py").is_file():
            top = top.parent
        return tuple(each for folder in dict.fromkeys((*folders, top)) for each in (folder, folder / "src"))

    def around(self, folders: Iterable[Path]) -> Path:
        """The folder that has some of the project's in it, and those that the script is in and is started in.

        A folder above the script is the project's, too, from where modules beside it are found by their names.
        """
        inside = (each for each in folders if each.is_relative_to(self._root) or self._folder.is_relative_to(each))
        return Path(os.path.commonpath([self._folder, self._first, *inside]))

    # ------------------------------------------------------------------ the path

    @cached_property
    def _before(self) -> list[Places]:
        """What comes before the installed packages."""
        given = [Path(text).resolve() for text in os.environ.get("PYTHONPATH", "").split(os.pathsep) if text]
        return [(self._first,), *((folder,) for folder in given if folder.is_relative_to(self._root))]

    @cached_property
    def _after(self) -> list[Places]:
        return []

    def run(self, statement: ast.stmt, file: SourceFile) -> None:
        """Let a statement of a project module change the path."""
        if file.path not in self._changes:
            starts = dict.fromkeys((self._first, self._root)) if any(sign in file.text for sign in _SIGNS) else ()
            self._changes[file.path] = [PathChanges(file, str(start), str(self._first)) for start in starts]
        added = [list(changes.of(statement)) for changes in self._changes[file.path]]
        for each in zip(*added, strict=True):
            folders = [Path(way.folder) for way in each]
            inside = [folder for folder in folders if folder.is_relative_to(self._root)]
            places = tuple(dict.fromkeys(f for f in inside or folders[:1] if f.is_dir() and not in_installation(f)))
            self._elsewhere.clear()
            index = each[0].index
            if index is None or index < 0:
                self._after.append(places)
            else:
                self._before.insert(index, places)

    # ------------------------------------------------------------------ modules

    def absolute(self, module: str, package: str) -> str:
        """The dotted name of a module that is imported within a package, maybe with dots in front.

        Empty where there are more dots than packages.
        """
        inner = module.lstrip(".")
        level = len(module) - len(inner)
        around = package.split(".") if package else []
        if not level or level > len(around):
            return "" if level else module
        return ".".join([*around[: len(around) - level + 1], inner]).strip(".")

    def find(self, dotted: str) -> Module | None:
        """Where a project module is; ``None`` for one of a library, and for one that is nowhere."""
        top, _, inner = dotted.partition(".")
        if top not in self._tops:
            if dotted in self._elsewhere:
                return None
            found = self._of_package(top) or self._on_path(top)
            if found is None and top not in self.doubtful:
                found = self._in_project(dotted)
            if found is None:
                self._elsewhere.add(dotted)
                return None
            self._tops[top] = found
            self.doubtful.pop(top, None)
        return find_along(self._tops[top].folders, inner) if inner else self._tops[top]

    def _of_package(self, top: str) -> Module | None:
        """The outermost package of a script that is started by ``python -m``."""
        return find_in([self._above_package], top) if top and top == self.package.partition(".")[0] else None

    def _on_path(self, top: str) -> Module | None:
        """A top-level module on the path; a folder without ``__init__.py`` gives way to any other module."""
        if not top or top in AT_START:
            return None
        portions: list[Path] = []
        for part in (self._before, self._after):
            for places in part:
                found = {found: place for place in places if (found := find_in([place], top)) is not None}
                if len(found) > 1:
                    self.doubtful[top] = tuple(found.values())
                    return None
                for module in found:
                    if module.file is not None:
                        return module
                    portions += module.folders
            if part is self._before and (portions or self._after) and is_installed(top):
                return None
        return Module(None, tuple(portions)) if portions else None

    def _in_project(self, dotted: str) -> Module | None:
        """A top-level module in the one folder of the project that has the dotted module."""
        top = dotted.partition(".")[0]
        if top not in self._having:
            is_library = not top or top in sys.stdlib_module_names or (self._is_library and self.is_known(top))
            self._having[top] = [] if is_library else [each for each in self._nearby if find_in([each], top)]
        found: dict[Path, Path] = {}
        for folder in self._having[top]:
            module = find_along([folder], dotted)
            if module is not None and module.file is not None:
                found[module.file] = folder
        if not found or is_installed(top):
            return None
        if len(found) > 1:
            self.doubtful[top] = tuple(found.values())
            return None
        return find_in(found.values(), top)


def _is_project(folder: Path) -> bool:
    return any((folder / name).is_file() for name in _PROJECT_FILES)


def _level(node: ast.stmt) -> int:
    """The dots of a relative import."""
    return node.level if isinstance(node, ast.ImportFrom) else 0
