"""One order of files in all runs: that of their names.

The order of a disk is not guaranteed. Generated programs sort what they list, the script that they are compared with
does not, and each run finds copies of the files in a room of its own.
"""

from __future__ import annotations

import functools
import glob
import os
import pathlib
import sys
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any


class _Entries:
    """What ``os.scandir`` gives, by name."""

    def __init__(self, entries: list[Any]) -> None:
        self._entries = iter(entries)

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Entries:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """All was read at once."""


def install() -> None:
    """Sort whatever lists files by name."""
    os.listdir = _by_name(os.listdir, list)
    glob.iglob = _by_name(glob.iglob, iter)  # which glob.glob makes a list of
    for name in ("iterdir", "glob", "rglob"):
        setattr(pathlib.Path, name, _by_name(getattr(pathlib.Path, name), iter))
    plain = os.scandir

    @functools.wraps(plain)
    def scandir(*args: Any, **kwargs: Any) -> Any:
        with plain(*args, **kwargs) as entries:
            return _Entries(sorted(entries, key=lambda entry: entry.name))

    os.scandir = scandir  # which os.walk reads
    if "tensorflow" in sys.modules:
        files = sys.modules["tensorflow"].io.gfile
        for name in ("listdir", "glob"):
            setattr(files, name, _by_name(getattr(files, name), list))


def _by_name(plain: Callable[..., Any], made: Callable[[Any], Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def ordered(*args: Any, **kwargs: Any) -> Any:
        return made(sorted(plain(*args, **kwargs)))

    return ordered
