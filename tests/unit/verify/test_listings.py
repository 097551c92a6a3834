"""One order of files in all runs that are compared, whatever order the disk has."""

from __future__ import annotations

import glob
import os
import pathlib
import sys
from pathlib import Path
from typing import Any

import pytest

from corro.verify.probe import listings


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on a disk that lists names backwards, and sorted listings until the test ends."""
    for name in ("b", "c", "a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "2.npy").touch()
        (tmp_path / name / "1.npy").touch()
    plain = os.listdir

    def backwards(path: Any = ".") -> list[Any]:
        return sorted(plain(path), reverse=True)

    monkeypatch.setattr(os, "listdir", backwards)
    monkeypatch.setattr(os, "scandir", os.scandir)
    monkeypatch.setattr(glob, "iglob", glob.iglob)
    for name in ("iterdir", "glob", "rglob"):
        monkeypatch.setattr(pathlib.Path, name, getattr(pathlib.Path, name))
    monkeypatch.delitem(sys.modules, "tensorflow", raising=False)
    assert os.listdir(tmp_path) == ["c", "b", "a"]  # noqa: PTH208
    listings.install()
    return tmp_path


def test_names_come_in_order(disk: Path) -> None:
    assert os.listdir(disk) == ["a", "b", "c"]  # noqa: PTH208
    assert [path.name for path in disk.iterdir()] == ["a", "b", "c"]
    with os.scandir(disk) as entries:
        assert [entry.name for entry in entries] == ["a", "b", "c"]


def test_paths_come_as_a_generated_program_sorts_them(disk: Path) -> None:
    paths = [str(disk / folder / file) for folder in "abc" for file in ("1.npy", "2.npy")]
    assert glob.glob(f"{disk}/*/*.npy") == paths  # noqa: PTH207
    assert [str(path) for path in disk.glob("*/*.npy")] == paths
    assert [str(path) for path in disk.rglob("*.npy")] == paths


def test_folders_are_walked_in_order(disk: Path) -> None:
    assert [(Path(root).name, dirs, files) for root, dirs, files in os.walk(disk)] == [
        (disk.name, ["a", "b", "c"], []),
        *((name, [], ["1.npy", "2.npy"]) for name in "abc"),
    ]
