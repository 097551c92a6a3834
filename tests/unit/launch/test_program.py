"""Where generated programs are written."""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

import pytest

from corro.errors import ExecutionError
from corro.launch import program, write_program


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CORRO_CACHE", str(folder))
    return folder


def test_it_lies_in_the_cache_under_a_name_that_says_what_it_is(cache: Path) -> None:
    path = write_program(b"# -*- coding: latin-1 -*-\n# \xfc\n", Path("train.py"), "ddp")
    assert path.name == "train.ddp.py"
    assert cache in path.parents
    assert path.read_bytes() == b"# -*- coding: latin-1 -*-\n# \xfc\n"


def test_the_same_program_has_the_same_place_and_another_one_another() -> None:
    first, again, other = (write_program(text, Path("train.py"), "ddp") for text in (b"a", b"a", b"b"))
    assert first == again != other


def test_old_programs_are_forgotten(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "KEPT", 3)
    for days in range(6, 0, -1):
        path = write_program(str(days).encode(), Path("train.py"), "ddp")
        os.utime(path.parent, (time.time() - days * 86_400,) * 2)
    last = write_program(b"last", Path("train.py"), "ddp")
    assert len(list((cache / "programs").iterdir())) == 3
    assert last.exists()


def test_programs_that_may_be_running_are_not(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "KEPT", 3)
    paths = [write_program(str(number).encode(), Path("train.py"), "ddp") for number in range(6)]
    assert all(path.exists() for path in paths)


def test_no_cache_is_no_obstacle(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file is in the way")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    assert write_program(b"a", Path("train.py"), "ddp").is_relative_to(tmp_path / f"corro-{os.getuid()}")


def test_a_user_without_a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("CORRO_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    assert write_program(b"a", Path("train.py"), "ddp").is_relative_to(tmp_path)


def test_no_place_at_all(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.write_text("a file is in the way")
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(cache))
    with pytest.raises(ExecutionError, match="CORRO_CACHE"):
        write_program(b"a", Path("train.py"), "ddp")
