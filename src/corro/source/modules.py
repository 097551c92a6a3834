"""Where modules are: by the rules of Python's own finders, without importing anything."""

from __future__ import annotations

import importlib.util
import os
import site
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from corro.classes import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

AT_START = frozenset(
    {"_collections_abc", "_sitebuiltins", "abc", "codecs", "encodings", "genericpath", "io", "ntpath", "os",
     "posixpath", "site", "stat", "zipimport", *sys.builtin_module_names}
)  # fmt: skip
"""Modules that are there before a script is started: no file of a project takes their place."""

_LIBRARY_FOLDERS = frozenset({"site-packages", "dist-packages"})


@dataclass(frozen=True)
class Module:
    """Where a module is.

    Args:
        file: its source; ``None`` for a folder without ``__init__.py``.
        folders: where the modules in it are looked for; empty unless it is a package.
    """

    file: Path | None
    folders: tuple[Path, ...] = ()


def find_in(folders: Iterable[Path], name: str) -> Module | None:
    """The first module of this name, or all folders of the name together, which are a package then."""
    portions: list[Path] = []
    for folder in folders:
        inner, file = folder / name, folder / f"{name}.py"
        is_folder = inner.is_dir()
        if is_folder and (inner / "__init__.py").is_file():
            return Module(inner / "__init__.py", (inner,))
        if file.is_file():
            return Module(file)
        if is_folder:
            portions.append(inner)
    return Module(None, tuple(portions)) if portions else None


def find_along(folders: Iterable[Path], dotted: str) -> Module | None:
    """A module in packages, from the outermost inwards."""
    module: Module | None = Module(None, tuple(folders))
    for part in dotted.split("."):
        module = find_in(module.folders, part) if module is not None else None
    return module


def modules_in(folders: Iterable[Path]) -> tuple[str, ...] | None:
    """The names of the modules in a package; ``None`` where it has packages, whose modules have names with dots."""
    files = [file for folder in folders for file in sorted(folder.iterdir())]
    if any(file.is_dir() and next(file.rglob("*.py"), None) is not None for file in files):
        return None
    names = (file.stem for file in files if file.suffix == ".py" and file.stem.isidentifier())
    return tuple(dict.fromkeys(name for name in names if name != "__init__"))


def is_installed(name: str) -> bool:
    """Whether a top-level module belongs to Python, or to a package that is installed in the running one."""
    if name in sys.stdlib_module_names:
        return True
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return False
    return spec is not None and spec.origin is not None and in_installation(Path(spec.origin))


def in_installation(path: Path) -> bool:
    """Whether a file or folder is where packages are installed."""
    if not _LIBRARY_FOLDERS.isdisjoint(path.parts):
        return True
    return any(path.is_relative_to(folder) for folder in _installation())


@cache
def _installation() -> tuple[Path, ...]:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    standard = (Path(os.__file__).parent, Path(sys.exec_prefix, sys.platlibdir, version))
    own = site.getusersitepackages()  # a browser's Python has none, whatever typeshed says
    return (*standard, Path(own)) if own else standard
