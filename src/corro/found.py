"""What stands in the folders of a package: rules, targets and commands are found by their files, and no list is kept.

``pkgutil`` lists them too, and loads ``inspect`` to do it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def modules(folders: Iterable[str]) -> list[str]:
    """The names of the modules and packages in the folders, sorted; not of those that begin with ``_``."""
    found = {entry.name.removesuffix(".py") for entry in _entries(folders) if entry.name.endswith(".py")}
    return sorted(name for name in found.union(packages(folders)) if not name.startswith("_"))


def packages(folders: Iterable[str]) -> list[str]:
    """The names of the packages in the folders, sorted."""
    return sorted(
        entry.name for entry in _entries(folders) if entry.is_dir() and Path(entry.path, "__init__.py").exists()
    )


def _entries(folders: Iterable[str]) -> list[os.DirEntry[str]]:
    return [entry for folder in folders for entry in os.scandir(folder)]
