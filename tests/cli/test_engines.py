"""``corro doctor``, ``corro setup`` and ``corro completion``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import pytest
from click.testing import CliRunner

from corro import engines, targets
from corro.cli._group import group
from corro.engines import ENGINES, Engine, Health, Progress, State, Wheel
from corro.errors import ExecutionError
from corro.launch import LAUNCHERS


def health(monkeypatch: pytest.MonkeyPatch, states: dict[str, State]) -> None:
    """The engines of these targets are in these states, the others are missing."""

    def found(engine: Engine) -> Health:
        state = states.get(engine.name, State.MISSING)
        works = state is State.WORKS
        return Health(engine, state, "1.2", "gloo") if works else Health(engine, state, detail="no symbol")

    def each(asked: Sequence[Engine], *, fresh: bool) -> Iterator[tuple[Health, bool]]:
        return ((found(engine), not fresh and found(engine).state is State.WORKS) for engine in asked)

    monkeypatch.setattr(engines, "examine_each", each)


def test_doctor_says_what_works_and_how_to_get_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, {"ddp": State.WORKS})
    shown = CliRunner().invoke(group, ["doctor"])
    assert shown.exit_code == 0
    assert re.search(r"^✓ PyTorch DDP +--to ddp +1\.2 \(gloo\)$", shown.output, re.MULTILINE)
    assert re.search(r"^- Horovod for PyTorch +--to horovod +missing: no symbol$", shown.output, re.MULTILINE)
    assert "get it: corro setup horovod\n" in shown.output


def test_doctor_fails_when_nothing_works(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, {"ddp": State.BROKEN})
    shown = CliRunner().invoke(group, ["doctor"])
    assert shown.exit_code == 1
    assert "broken: no symbol" in shown.output


def test_doctor_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, {"ddp": State.WORKS, "mirrored": State.BROKEN})
    shown = json.loads(CliRunner().invoke(group, ["doctor", "--json"]).output)
    states = {each["engine"]: (each["target"], each["state"]) for each in shown}
    assert states["PyTorch DDP"] == ("ddp", "works")
    assert states["Horovod for TensorFlow"] == ("horovod", "missing")
    assert states["MirroredStrategy"] == ("mirrored", "broken")


def test_doctor_says_what_it_remembers(monkeypatch: pytest.MonkeyPatch) -> None:
    health(monkeypatch, {"ddp": State.WORKS})
    assert "corro: 1 of these worked before; --fresh" in CliRunner().invoke(group, ["doctor"]).stderr
    assert "worked before" not in CliRunner().invoke(group, ["doctor", "--fresh"]).stderr


def test_every_target_and_launcher_has_an_engine() -> None:
    assert {engine.name for engine in ENGINES} == set(targets.names())
    titles = [engine.title for engine in ENGINES]
    assert len(set(titles)) == len(titles)
    missing = [launcher.name for launcher in LAUNCHERS if not launcher.engines]
    assert missing == []


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch) -> Wheel:
    """A machine with PyTorch and TensorFlow on which Horovod with Gloo works."""
    made = Wheel("cpython-311", "linux", "2.13.0", "2.15.1", mpi=None)
    monkeypatch.setattr(engines, "wheel_for", lambda mpi=False: made)
    monkeypatch.setattr(engines, "left_out", lambda: "")
    monkeypatch.setattr(
        engines, "examine_all", lambda asked: [Health(each, State.WORKS, "0.28.1", "gloo") for each in asked]
    )
    return made


def test_setup_does_nothing_where_horovod_works(wheel: Wheel) -> None:
    shown = CliRunner().invoke(group, ["setup", "horovod"])
    assert shown.output.splitlines() == [
        "Horovod for PyTorch 0.28.1 (gloo) works here already.",
        "Horovod for TensorFlow 0.28.1 (gloo) works here already.",
    ]


@pytest.mark.parametrize("options", [["--with-mpi"], ["--rebuild"]])
def test_setup_builds_when_asked_for_more(wheel: Wheel, monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    def build(built: Wheel, progress: Progress, *, rebuild: bool) -> list[Health]:
        assert rebuild == ("--rebuild" in options)
        progress.phase("Compiling")
        progress.percent(10)
        progress.percent(50)
        return [Health(built.engines[0], State.WORKS, "0.28.1", "gloo, mpi")]

    monkeypatch.setattr(engines, "setup_horovod", build)
    monkeypatch.setattr(engines, "left_out", lambda: "TensorFlow is left out.")
    shown = CliRunner().invoke(group, ["setup", "horovod", *options])
    assert shown.stdout == "Horovod for PyTorch 0.28.1 (gloo, mpi) works here.\n"
    *phases, note = shown.stderr.splitlines()
    assert [line.split("s", 1)[1].strip() for line in phases] == ["Compiling", "50 %"]
    assert note == "TensorFlow is left out."


@pytest.mark.parametrize(
    ("option", "installed", "mpi"),
    [
        ((), "gloo, mpi", True),
        ((), "gloo", False),
        (("--without-mpi",), "gloo, mpi", False),
        (("--with-mpi",), "", True),
    ],
)
def test_setup_builds_where_one_framework_has_no_horovod(
    wheel: Wheel, monkeypatch: pytest.MonkeyPatch, option: tuple[str, ...], installed: str, mpi: bool
) -> None:
    asked_for: list[bool] = []

    def wheel_for(*, mpi: bool = False) -> Wheel:
        asked_for.append(mpi)
        return wheel

    def examine_all(asked: tuple[Engine, ...]) -> list[Health]:
        return [Health(asked[0], State.WORKS, "0.28.1", installed), Health(asked[1], State.MISSING)]

    def build(built: Wheel, progress: Progress, *, rebuild: bool) -> list[Health]:
        return [Health(each, State.WORKS, "0.28.1", "gloo, new") for each in built.engines]

    monkeypatch.setattr(engines, "examine_all", examine_all)
    monkeypatch.setattr(engines, "wheel_for", wheel_for)
    monkeypatch.setattr(engines, "setup_horovod", build)
    shown = CliRunner().invoke(group, ["setup", "horovod", *option])
    assert "Horovod for TensorFlow 0.28.1 (gloo, new)" in shown.stdout
    assert asked_for[-1] is mpi


def test_setup_passes_on_what_went_wrong(wheel: Wheel, monkeypatch: pytest.MonkeyPatch) -> None:
    def build(built: Wheel, progress: Progress, *, rebuild: bool) -> list[Health]:
        raise ExecutionError("no compiler.")

    monkeypatch.setattr(engines, "setup_horovod", build)
    shown = CliRunner().invoke(group, ["setup", "horovod", "--rebuild"])
    assert isinstance(shown.exception, ExecutionError)


@pytest.mark.parametrize(("shell", "word"), [("bash", "complete -o"), ("zsh", "#compdef corro"), ("fish", "complete ")])
def test_completion_scripts(shell: str, word: str) -> None:
    shown = CliRunner().invoke(group, ["completion", shell], prog_name="corro")
    assert shown.exit_code == 0
    assert word in shown.output
    assert "_CORRO_COMPLETE" in shown.output


def test_help_lists_all_commands() -> None:
    shown = CliRunner().invoke(group, ["--help"])
    for name in ("completion", "doctor", "run", "setup"):
        assert f"\n  {name} " in shown.output


def test_a_script_in_place_of_a_command_gets_advice() -> None:
    shown = CliRunner().invoke(group, ["train.py"])
    assert shown.exit_code == 2
    assert "corro compile train.py" in shown.output
