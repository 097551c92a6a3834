"""The wheel of Horovod: what it depends on, how it is made, where it is kept. Commands are only recorded here."""

from __future__ import annotations

import dataclasses
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from corro.engines import Engine, Health, State, Wheel, horovod, left_out, setup_horovod, wheel_for
from corro.engines.health import engine_of
from corro.errors import ExecutionError

WHEEL = Wheel("cpython-311", "linux-x86_64-glibc2.36", "2.13.0", None, mpi=None)


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
    monkeypatch.setenv("CORRO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(horovod, "run_logged", made)
    monkeypatch.setattr(horovod, "examine_all", found(State.WORKS))
    return made


def found(*states: State) -> Callable[[Sequence[Engine]], list[Health]]:
    """An ``examine_all`` that finds this; the last state stands for all further engines."""

    def examine_all(engines: Sequence[Engine]) -> list[Health]:
        return [Health(each, states[min(i, len(states) - 1)], "0.28.1", "gloo") for i, each in enumerate(engines)]

    return examine_all


@pytest.fixture(autouse=True)
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The packages that are installed; a test may change them."""
    installed = {"torch": "2.13.0", "tensorflow-cpu": "2.15.1"}
    monkeypatch.setattr(horovod, "_version", installed.get)
    return installed


def test_the_key_names_all_that_a_build_depends_on() -> None:
    assert WHEEL.key == "horovod-0.28.1_cpython-311_linux-x86_64-glibc2.36_torch-2.13.0_gloo"


@pytest.mark.parametrize(
    "change", [{"python": "x"}, {"machine": "x"}, {"torch": "x"}, {"tensorflow": "2.15.1"}, {"mpi": "openmpi-4.1.4"}]
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
    versions: dict[str, str], installed: str, used: str | None
) -> None:
    versions["tensorflow-cpu"] = installed
    assert wheel_for().tensorflow == used
    assert (f"TensorFlow {installed}" in left_out()) == (used is None)


@pytest.mark.parametrize(
    ("installed", "engines"),
    [
        ({"torch": "2.13.0"}, (engine_of("horovod", "pytorch"),)),
        ({"tensorflow": "2.15.1"}, (engine_of("horovod", "tensorflow"),)),
        (
            {"torch": "2.13.0", "tensorflow-cpu": "2.15.1"},
            (engine_of("horovod", "pytorch"), engine_of("horovod", "tensorflow")),
        ),
    ],
)
def test_it_is_built_for_what_is_installed(
    versions: dict[str, str], installed: dict[str, str], engines: tuple[Engine, ...]
) -> None:
    versions.clear()
    versions.update(installed)
    wheel = wheel_for()
    assert wheel.engines == engines
    assert all(version in wheel.key for version in installed.values())


def test_without_a_framework_there_is_nothing_to_build(versions: dict[str, str]) -> None:
    versions.clear()
    with pytest.raises(ExecutionError, match="pip install torch"):
        wheel_for()
    versions["tensorflow"] = "2.21.0"
    with pytest.raises(ExecutionError, match=r"TensorFlow 2\.21\.0, only with versions before 2\.16"):
        wheel_for()


def test_it_is_built_once(commands: Commands) -> None:
    progress = Recorder()
    assert [each.engine.title for each in setup_horovod(wheel_for(), progress)] == [
        "Horovod for PyTorch",
        "Horovod for TensorFlow",
    ]
    assert progress.phases == ["Preparing", "Getting the build tools", "Compiling", "Installing", "Importing it"]
    assert progress.percents == [40, 100]
    kept = wheel_for().file()
    assert kept is not None
    assert kept.read_text() == "a wheel"
    assert [path.name for path in kept.parent.iterdir()] == [kept.name]

    commands.seen.clear()
    again = Recorder()
    setup_horovod(wheel_for(), again)
    assert again.phases == ["Preparing", "Installing", "Importing it"]
    assert not commands.built()

    setup_horovod(wheel_for(), Recorder(), rebuild=True)
    assert commands.built()


def test_the_tools_come_first_on_the_path_and_the_current_environment_gets_the_wheel(commands: Commands) -> None:
    setup_horovod(wheel_for(), Recorder())
    assert commands.environment["PATH"].split(":")[0].endswith("/venv/bin")
    assert Path(commands.environment["CXX"]).name == "cxx"
    installs = [command for command in commands.seen if "--python" in command]
    assert all(command[command.index("--python") + 1] == sys.executable for command in installs)
    assert "--no-deps" in installs[0]
    assert "--no-deps" not in installs[1]


@pytest.mark.parametrize(
    ("missing", "mpi", "said", "advice"),
    [
        (["g++", "make"], False, "g++ and make, not found", "apt-get install g++ make"),
        (["mpicxx", "mpirun"], True, "mpicxx and mpirun, not found", "apt-get install libopenmpi-dev openmpi-bin"),
        (["mpirun"], True, "needs mpirun, not found", "apt-get install openmpi-bin"),
    ],
)
def test_missing_tools_are_named_before_anything_is_done(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, missing: list[str], mpi: bool, said: str, advice: str
) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None if name in missing else name)
    with pytest.raises(ExecutionError) as caught:
        setup_horovod(wheel_for(mpi=mpi), Recorder())
    assert said in caught.value.message
    assert caught.value.advice.endswith(advice)
    assert not commands.seen


def test_a_kept_wheel_needs_no_compiler(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    setup_horovod(wheel_for(), Recorder())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    commands.seen.clear()
    setup_horovod(wheel_for(), Recorder())
    assert not commands.built()


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/\n", "openmpi-4.1.4"),
        ("HYDRA build details:\n    Version:                                 4.0.2\n", "mpi-4.0.2"),
        ("", "mpi"),
    ],
)
def test_a_build_is_for_one_mpi(
    commands: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, told: str, name: str
) -> None:
    for command in ("mpicxx", "mpirun"):
        script = tmp_path / command
        script.write_text(f"#!{sys.executable}\nprint({told!r})\n")
        script.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    wheel = wheel_for(mpi=True)
    assert wheel.key.endswith(f"_{name}")
    assert wheel.settings()["HOROVOD_WITH_MPI"] == "1"


def test_what_does_not_import_is_no_success(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(horovod, "examine_all", found(State.WORKS, State.BROKEN))
    with pytest.raises(ExecutionError, match="Horovod for TensorFlow was built, and does not import"):
        setup_horovod(wheel_for(), Recorder())


def test_the_wrapper_asks_for_a_newer_standard_and_keeps_all_else(tmp_path: Path) -> None:
    wrapper = tmp_path / "cxx"
    wrapper.write_text(horovod._WRAPPER.format(compiler=f"{sys.executable} -c 'import sys; print(sys.argv[1:])'"))
    wrapper.chmod(0o755)
    arguments = ["-O2", "-std=c++14", "-DA=two words", "", "-std=c++17", "*"]
    done = subprocess.run([str(wrapper), *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == f"{[a.replace('++14', '++20') for a in arguments]}\n"
