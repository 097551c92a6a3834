"""An engine works when it imports, in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from corro.engines import Engine, State, examine, examine_all, examine_each
from corro.engines.health import engine_of


def engine(probe: str, module: str = "json") -> Engine:
    return Engine("made-up", "Made up", ("json", module), probe, "get it")


def test_it_works_with_version_and_abilities() -> None:
    health = examine(engine("print('noise'); print(json.dumps(['1.2', 'gloo', 'mpi']))"))
    assert (health.state, health.version, health.detail) == (State.WORKS, "1.2", "gloo, mpi")


def test_it_is_missing() -> None:
    health = examine(engine("", module="no_such_module"))
    assert (health.state, health.detail) == (State.MISSING, "no_such_module is not installed")


def test_what_is_installed_may_be_something_else() -> None:
    health = examine(engine("missing('it takes version 3')"))
    assert (health.state, health.detail) == (State.MISSING, "it takes version 3")


def test_it_does_not_import(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_installed.py").write_text("raise ImportError('libmissing.so: cannot open')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    health = examine(engine("import half_installed", module="half_installed"))
    assert (health.state, health.detail) == (State.BROKEN, "ImportError: libmissing.so: cannot open")


def test_what_lies_in_the_current_folder_is_no_engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "gone_engine.py").write_text("")
    (tmp_path / "json.py").write_text("raise SystemExit('mine')")
    monkeypatch.chdir(tmp_path)
    assert examine(engine("", module="gone_engine")).state is State.MISSING


def test_it_crashes() -> None:
    health = examine(engine("import os; os.kill(os.getpid(), 11)"))
    assert (health.state, health.detail) == (State.BROKEN, "exit status -11")


def test_it_never_ends() -> None:
    health = examine(engine("import time; time.sleep(60)"), timeout=0.5)
    assert health.state is State.BROKEN
    assert "more than" in health.detail


@pytest.mark.slow
def test_the_engines_of_the_test_environment_work() -> None:
    ddp, horovod = examine_all([engine_of(target, "pytorch") for target in ("ddp", "horovod")])
    assert (ddp.state, horovod.state) == (State.WORKS, State.WORKS)
    assert "gloo" in ddp.detail.split(", ")
    assert "gloo" in horovod.detail.split(", ")


def test_what_works_is_remembered_until_something_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "path", [str(tmp_path / "site-packages")])
    (tmp_path / "site-packages").mkdir()
    works = Engine("one", "One", ("json",), "print(json.dumps(['1.0', 'all']))", "")
    fails = Engine("two", "Two", ("json",), "raise SystemExit(1)", "")

    def tried(*, fresh: bool = False) -> list[tuple[str, str, bool]]:
        found = examine_each([works, fails], fresh=fresh)
        return sorted((health.engine.name, health.state.value, old) for health, old in found)

    assert tried() == [("one", "works", False), ("two", "broken", False)]
    assert tried() == [("one", "works", True), ("two", "broken", False)]
    assert tried(fresh=True) == [("one", "works", False), ("two", "broken", False)]
    (tmp_path / "site-packages" / "new").mkdir()
    assert tried()[0] == ("one", "works", False)
