"""``rueda doctor``, ``rueda setup`` and ``rueda completion``."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rueda import engines
from rueda.cli import group
from rueda.engines import ENGINES, Engine, Health, Progress, State
from rueda.errors import ExecutionError


def health(monkeypatch: pytest.MonkeyPatch, *states: State) -> None:
    found = [
        Health(engine, state, "1.2", "gloo") if state is State.WORKS else Health(engine, state, detail="no symbol")
        for engine, state in zip(ENGINES, states, strict=True)
    ]
    monkeypatch.setattr(engines, "examine_all", lambda: found)


def test_doctor_says_what_works_and_how_to_get_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, State.WORKS, State.MISSING)
    shown = CliRunner().invoke(group, ["doctor"])
    assert shown.exit_code == 0
    assert "PyTorch DDP          --to ddp       1.2 (gloo)" in shown.output
    assert "get it: rueda setup horovod" in shown.output


def test_doctor_fails_when_nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, State.BROKEN, State.MISSING)
    shown = CliRunner().invoke(group, ["doctor"])
    assert shown.exit_code == 1
    assert "broken: no symbol" in shown.output


def test_doctor_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, State.WORKS, State.BROKEN)
    shown = json.loads(CliRunner().invoke(group, ["doctor", "--json"]).output)
    assert [each["state"] for each in shown] == ["works", "broken"]


def test_setup_does_nothing_where_horovod_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "examine", lambda engine: Health(engine, State.WORKS, "0.28.1", "gloo"))
    shown = CliRunner().invoke(group, ["setup", "horovod"])
    assert shown.output == "Horovod 0.28.1 (gloo) works here already.\n"


@pytest.mark.parametrize("options", [["--with-mpi"], ["--rebuild"]])
def test_setup_builds_when_asked_for_more(monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    def build(progress: Progress, *, mpi: bool, rebuild: bool) -> Health:
        progress.phase("Compiling")
        progress.percent(10)
        progress.percent(50)
        return Health(_horovod(), State.WORKS, "0.28.1", "gloo, mpi")

    monkeypatch.setattr(engines, "examine", lambda engine: Health(engine, State.WORKS, "0.28.1", "gloo"))
    monkeypatch.setattr(engines, "setup_horovod", build)
    shown = CliRunner().invoke(group, ["setup", "horovod", *options])
    assert shown.stdout == "Horovod 0.28.1 (gloo, mpi) works here.\n"
    assert [line.split("s", 1)[1].strip() for line in shown.stderr.splitlines()] == ["Compiling", "50 %"]


def test_setup_passes_on_what_went_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(progress: Progress, *, mpi: bool, rebuild: bool) -> Health:
        raise ExecutionError("no compiler.")

    monkeypatch.setattr(engines, "examine", lambda engine: Health(engine, State.MISSING))
    monkeypatch.setattr(engines, "setup_horovod", build)
    shown = CliRunner().invoke(group, ["setup", "horovod"])
    assert isinstance(shown.exception, ExecutionError)


def _horovod() -> Engine:
    return next(engine for engine in ENGINES if engine.name == "horovod")


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete -o"), ("zsh", "#compdef rueda"), ("fish", "complete ")])
def test_completion_scripts(shell: str, word: str) -> None:
    shown = CliRunner().invoke(group, ["completion", shell], prog_name="rueda")
    assert shown.exit_code == 0
    assert word in shown.output
    assert "_RUEDA_COMPLETE" in shown.output


def test_help_lists_all_commands() -> None:
    shown = CliRunner().invoke(group, ["--help"])
    for name in ("completion", "doctor", "run", "setup"):
        assert f"\n  {name} " in shown.output


def test_a_script_in_place_of_a_command_gets_advice() -> None:
    shown = CliRunner().invoke(group, ["train.py"])
    assert shown.exit_code == 2
    assert "rueda compile train.py" in shown.output
