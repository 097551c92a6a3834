"""Rooms: all is there, and what is written there stays there."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from corro.verify import rooms


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    for name in ("train.py", "data/table.csv", "runs/old/weights.bin", ".git/config", "__pycache__/x.pyc"):
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"this is {name}")
    return home


def texts(folder: Path) -> dict[str, str]:
    found = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path.relative_to(folder)): path.read_text() for path in found}


def test_a_room_has_copies_of_what_is_small(home: Path, tmp_path: Path) -> None:
    made = rooms.room(home, home / "train.py", tmp_path / "room")
    before = texts(home)
    assert made.script == made.directory / "train.py"
    assert made.folders == (str(made.directory), str(tmp_path / "room"))
    for name in ("train.py", "data/table.csv", "runs/old/weights.bin"):
        assert (made.directory / name).read_text() == before[name]
        (made.directory / name).write_text("other")
    (made.directory / "runs" / "new").mkdir()
    assert (made.directory / ".git" / "config").read_text() == before[".git/config"]
    assert not (made.directory / "__pycache__").exists()
    assert texts(home) == before
    assert not (home / "runs" / "new").exists()


def test_what_is_large_or_too_much_is_linked(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "LARGEST_BYTES", 20)
    made = rooms.room(home, home / "train.py", tmp_path / "large")
    assert (made.directory / "data" / "table.csv").is_symlink()
    assert not (made.directory / "train.py").is_symlink()
    monkeypatch.setattr(rooms, "MOST_ENTRIES", 3)
    made = rooms.room(home, home / "train.py", tmp_path / "many")
    assert (made.directory / "runs").is_symlink()
    assert (made.directory / "runs" / "old" / "weights.bin").read_text() == "this is runs/old/weights.bin"


def test_what_is_mounted_or_cannot_be_read_is_linked(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copy2(source: str, place: Path) -> None:
        if source.endswith("table.csv"):
            place.write_text("half of it")
            raise OSError("no more")
        place.write_bytes(Path(source).read_bytes())

    (home / "itself").symlink_to("itself")
    monkeypatch.setattr(os.path, "ismount", lambda path: str(path).endswith("runs"))
    monkeypatch.setattr(shutil, "copy2", copy2)
    made = rooms.room(home, home / "train.py", tmp_path / "room")
    assert (made.directory / "runs").is_symlink()
    assert (made.directory / "data" / "table.csv").is_symlink()
    assert (made.directory / "data" / "table.csv").read_text() == "this is data/table.csv"
    assert (made.directory / "itself").is_symlink()


def test_a_room_within_the_folder_does_not_hold_itself(home: Path) -> None:
    (home / "tmp").mkdir()
    made = rooms.room(home, home / "train.py", home / "tmp" / "room")
    assert (made.directory / "tmp").is_symlink()
    assert (made.directory / "data" / "table.csv").is_file()


def test_a_script_elsewhere_has_a_room_too(home: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    made = rooms.room(here, home / "train.py", tmp_path / "room")
    assert made.script.read_text() == "this is train.py"
    assert made.script.resolve() == made.script
    assert made.folders == (str(made.directory), str(tmp_path / "room"))
    assert (made.script.parent / "data" / "table.csv").is_file()


def test_what_lies_above_is_there_too_and_cannot_be_changed(home: Path, tmp_path: Path) -> None:
    below = home / "a" / "b"
    below.mkdir(parents=True)
    (tmp_path / "input").mkdir()
    (tmp_path / "input" / "x.csv").write_text("1,2")
    made = rooms.room(below, home / "train.py", tmp_path / "rooms" / "one")
    place = Path(f"{tmp_path}/rooms/one{below}")
    assert made.directory == place
    assert made.script == place.parents[1] / "train.py"
    assert (made.directory / ".." / ".." / "data" / "table.csv").read_text() == "this is data/table.csv"
    assert (made.script.parent / ".." / "input" / "x.csv").read_text() == "1,2"
    assert (made.directory / ".." / ".." / ".." / ".." / "..").resolve().is_relative_to(tmp_path / "rooms" / "one")
    (made.script.parent / ".." / "input" / "x.csv").write_text("other")
    (made.script.parent / ".." / "input" / "new.csv").write_text("new")
    assert texts(tmp_path / "input") == {"x.csv": "1,2"}


def test_of_what_lies_far_above_there_are_links(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other.txt").write_text("other")
    below = home / "a" / "b"
    below.mkdir(parents=True)
    (below / "train.py").write_text("")
    made = rooms.room(below, below / "train.py", tmp_path / "room")
    assert (made.directory.parents[1] / "data").is_symlink()
    assert (made.directory.parents[2] / "other.txt").is_symlink()
    monkeypatch.setattr(rooms, "MOST_LINKS", 1)
    made = rooms.room(below, below / "train.py", tmp_path / "less")
    assert not (made.directory.parents[1] / "data").exists()


def test_a_link_gives_way_to_a_folder_of_links(home: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home)
    rooms.unfold(str(link))
    assert link.is_dir()
    assert not link.is_symlink()
    assert (link / "data").is_symlink()


def test_what_another_program_removes_meanwhile_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / "gone folder").mkdir(parents=True)
    for name in ("a.txt", "gone.txt", "z.txt"):
        (home / name).write_text(name)
    copy, scan = shutil.copy2, os.scandir

    def copied(source: str, place: Path) -> object:
        if Path(source).name == "gone.txt":
            raise FileNotFoundError(source)
        return copy(source, place)

    def scanned(folder: Path) -> object:
        if folder.name == "gone folder":
            raise FileNotFoundError(folder)
        return scan(folder)

    monkeypatch.setattr(shutil, "copy2", copied)
    monkeypatch.setattr(os, "scandir", scanned)
    rooms.furnish(home, tmp_path / "room")
    assert sorted(path.name for path in (tmp_path / "room").iterdir()) == ["a.txt", "gone folder", "z.txt"]
