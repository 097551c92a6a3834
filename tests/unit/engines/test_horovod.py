"""The wheel of Horovod: what it depends on, how it is made, where it is kept. Commands are only recorded here."""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from rueda.engines import Health, State, Wheel, horovod, setup_horovod, wheel_for
from rueda.errors import ExecutionError

WHEEL = Wheel("cpython-311", "linux-x86_64-glibc2.36", "2.13.0", None, mpi=False)


class Recorder:
    """A progress that remembers."""

    def __init__(self) -> None:
        self.phases: list[str] = []
        self.percents: list[int] = []

    def phase(self, name: str) -> None:
        self.phases.append(name)

    def percent(self, done: int) -> None:
        self.percents.append(done)


class Commands:
    """Stands in for ``run_logged``: remembers, and leaves a wheel where pip would."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, ...]] = []
        self.environment: Mapping[str, str] = {}

    def __call__(
        self, command: Sequence[str], log: object, environment: Mapping[str, str] | None = None, **options: Any
    ) -> None:
        self.seen.append(tuple(command))
        if "venv" in command:
            (Path(command[-1]) / "lib" / "python3" / "site-packages").mkdir(parents=True)
        if "wheel" in command and "-w" in command:
            assert environment is not None
            self.environment = environment
            folder = Path(command[command.index("-w") + 1])
            folder.mkdir()
            (folder / "horovod-0.28.1-cp311.whl").write_text("a wheel")
            options["on_line"]("  [ 40%] Building CXX object a.o\n")
            options["on_line"]("[100%] Linking\n")

    def built(self) -> bool:
        return any("wheel" in command and "-w" in command for command in self.seen)


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Commands:
    made = Commands()
    monkeypatch.setenv("RUEDA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(horovod, "run_logged", made)
    monkeypatch.setattr(horovod, "examine", lambda engine: Health(engine, State.WORKS, "0.28.1", "gloo"))
    return made


def test_the_key_names_all_that_a_build_depends_on() -> None:
    assert WHEEL.key == "horovod-0.28.1_cpython-311_linux-x86_64-glibc2.36_torch-2.13.0_gloo"


@pytest.mark.parametrize(
    "change", [{"python": "x"}, {"machine": "x"}, {"torch": "x"}, {"tensorflow": "2.15.1"}, {"mpi": True}]
)
def test_whatever_changes_changes_the_key(change: dict[str, Any]) -> None:
    assert dataclasses.replace(WHEEL, **change).key != WHEEL.key


def test_the_build_has_what_is_installed() -> None:
    assert WHEEL.settings() == {
        "HOROVOD_WITH_PYTORCH": "1",
        "HOROVOD_WITHOUT_TENSORFLOW": "1",
        "HOROVOD_WITHOUT_MPI": "1",
        "HOROVOD_WITH_GLOO": "1",
        "HOROVOD_WITHOUT_MXNET": "1",
    }


@pytest.mark.parametrize(("installed", "used"), [("2.15.1", "2.15.1"), ("2.16.0", None), ("2.21.0", None)])
def test_tensorflow_is_left_out_where_horovod_does_not_compile_with_it(
    monkeypatch: pytest.MonkeyPatch, installed: str, used: str | None
) -> None:
    versions = {"torch": "2.13.0", "tensorflow-cpu": installed}
    monkeypatch.setattr(horovod, "_version", versions.get)
    assert wheel_for().tensorflow == used


def test_without_a_framework_there_is_nothing_to_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horovod, "_version", lambda package: None)
    with pytest.raises(ExecutionError, match="pip install torch"):
        wheel_for()


def test_it_is_built_once(commands: Commands) -> None:
    progress = Recorder()
    assert setup_horovod(progress).state is State.WORKS
    assert progress.phases == ["Preparing", "Getting the build tools", "Compiling", "Installing", "Importing it"]
    assert progress.percents == [40, 100]
    kept = wheel_for().file()
    assert kept is not None
    assert kept.read_text() == "a wheel"
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]

    commands.seen.clear()
    again = Recorder()
    setup_horovod(again)
    assert again.phases == ["Preparing", "Installing", "Importing it"]
    assert not commands.built()

    setup_horovod(Recorder(), rebuild=True)
    assert commands.built()


def test_the_tools_come_first_on_the_path_and_the_current_environment_gets_the_wheel(commands: Commands) -> None:
    setup_horovod(Recorder())
    assert commands.environment["PATH"].split(":")[0].endswith("/venv/bin")
    assert Path(commands.environment["CXX"]).name == "cxx"
    installs = [command for command in commands.seen if "--python" in command]
    assert all(command[command.index("--python") + 1] == sys.executable for command in installs)
    assert "--no-deps" in installs[0]
    assert "--no-deps" not in installs[1]


def test_a_missing_tool_is_named(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "mpicxx" else name)
    with pytest.raises(ExecutionError, match="libopenmpi-dev"):
        setup_horovod(Recorder(), mpi=True)


def test_what_does_not_import_is_no_success(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horovod, "examine", lambda engine: Health(engine, State.BROKEN, detail="undefined symbol"))
    with pytest.raises(ExecutionError, match="undefined symbol"):
        setup_horovod(Recorder())


def test_the_wrapper_asks_for_a_newer_standard_and_keeps_all_else(tmp_path: Path) -> None:
    wrapper = tmp_path / "cxx"
    wrapper.write_text(horovod._WRAPPER.format(compiler=f"{sys.executable} -c 'import sys; print(sys.argv[1:])'"))
    wrapper.chmod(0o755)
    arguments = ["-O2", "-std=c++14", "-DA=two words", "", "-std=c++17", "*"]
    done = subprocess.run([str(wrapper), *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == f"{[a.replace('++14', '++20') for a in arguments]}\n"
