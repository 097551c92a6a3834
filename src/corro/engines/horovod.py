"""Builds Horovod for the current environment, and keeps the wheel.

Horovod comes as source only, and a build fits one version of each framework. Three things keep the unpatched source
building with a PyTorch of today: a compiler wrapper that asks for C++20 where Horovod asks for C++14, CMake before
version 4, and setuptools before version 81. They live in a private environment that sees the frameworks of the
current one; the current environment gets the wheel and what the wheel requires.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from corro.cache import cache_directory
from corro.engines.commands import Log, run_logged
from corro.engines.health import Engine, Health, State, engine_of, examine_all
from corro.errors import ExecutionError

HOROVOD_VERSION = "0.28.1"
BUILD_TOOLS = ("setuptools<81", "wheel", "packaging", "cmake<4", "cffi", "cloudpickle", "psutil", "pyyaml")
_TENSORFLOW_PACKAGES = ("tensorflow", "tensorflow-cpu", "tensorflow-macos", "tensorflow-intel")
_FIRST_TENSORFLOW_TOO_NEW = (2, 16)

_WRAPPER = """#!/bin/sh
# {compiler}, with C++20 where C++14 is asked for
for argument do
    shift
    [ "$argument" = -std=c++14 ] && argument=-std=c++20
    set -- "$@" "$argument"
done
exec {compiler} "$@"
"""


class Progress(Protocol):
    """Is told how the work goes on."""

    def phase(self, name: str) -> None:
        """A new phase begins."""

    def percent(self, done: int) -> None:
        """How far the current phase is."""


@dataclass(frozen=True)
class Wheel:
    """All that one build of Horovod depends on; builds that agree in it are interchangeable.

    Args:
        python: the interpreter and its binary interface.
        machine: system, processor and C library.
        torch: the version of PyTorch it is built for, if it is.
        tensorflow: the same of TensorFlow.
        mpi: the MPI it is linked with, name and version, if it is.
    """

    python: str
    machine: str
    torch: str | None
    tensorflow: str | None
    mpi: str | None

    @property
    def key(self) -> str:
        """A folder name that says it all."""
        frameworks = [f"torch-{self.torch}"] if self.torch else []
        frameworks += [f"tensorflow-{self.tensorflow}"] if self.tensorflow else []
        parts = [f"horovod-{HOROVOD_VERSION}", self.python, self.machine, *frameworks, self.mpi or "gloo"]
        return re.sub(r"[^\w.+-]", "_", "_".join(parts))

    @property
    def folder(self) -> Path:
        """Where the wheel is kept."""
        return cache_directory() / "wheels" / self.key

    @property
    def engines(self) -> tuple[Engine, ...]:
        """What it makes work: Horovod for each framework."""
        built = {"pytorch": self.torch, "tensorflow": self.tensorflow}
        return tuple(engine_of("horovod", frontend) for frontend, version in built.items() if version)

    def file(self) -> Path | None:
        """The wheel, if it was built before."""
        return next(self.folder.glob("*.whl"), None)

    def settings(self) -> dict[str, str]:
        """The build settings of Horovod for it, as environment variables."""
        wanted = {"PYTORCH": self.torch, "TENSORFLOW": self.tensorflow, "MPI": self.mpi, "GLOO": True, "MXNET": False}
        return {f"HOROVOD_{'WITH' if value else 'WITHOUT'}_{name}": "1" for name, value in wanted.items()}


def wheel_for(*, mpi: bool = False) -> Wheel:
    """The wheel that fits the current environment.

    Raises:
        ExecutionError: there is no framework to build for, or MPI is wanted and not installed.
    """
    torch, tensorflow = _version("torch"), _tensorflow_version()
    if tensorflow and _too_new(tensorflow):
        tensorflow = None
    if torch is None and tensorflow is None:
        raise ExecutionError(
            f"there is no framework to build Horovod for. {left_out()}".rstrip(),
            advice='Install it first: pip install torch, or pip install "tensorflow<2.16"',
        )
    libc = "".join(platform.libc_ver())
    machine = f"{sysconfig.get_platform()}-{libc}" if libc else sysconfig.get_platform()
    return Wheel(
        sys.implementation.cache_tag + sys.abiflags, machine, torch, tensorflow, _mpi_version() if mpi else None
    )


def left_out() -> str:
    """A sentence about the installed TensorFlow if Horovod does not compile with it, else nothing."""
    version = _tensorflow_version()
    if version is None or not _too_new(version):
        return ""
    return f"Horovod {HOROVOD_VERSION} does not compile with TensorFlow {version}, only with versions before 2.16."


def setup_horovod(wheel: Wheel, progress: Progress, *, rebuild: bool = False) -> list[Health]:
    """Makes Horovod work in the current environment: from the cache where possible, else built.

    The answer is its health for each framework.

    Raises:
        ExecutionError: a tool is missing, the build failed, or the result does not import.
    """
    file = None if rebuild else wheel.file()
    if file is None:
        _require((_compiler(), "g++"), ("make", "make"))
    log = Log(cache_directory() / "logs" / f"{wheel.key}.log")
    with tempfile.TemporaryDirectory(prefix="corro-horovod-") as folder:
        python = _private_environment(Path(folder), progress, log)
        if file is None:
            file = _build(wheel, python, Path(folder), progress, log)
        _install(file, python, progress, log)
    progress.phase("Importing it")
    found = examine_all(wheel.engines)
    if broken := [each for each in found if each.state is not State.WORKS]:
        raise ExecutionError(
            f"{broken[0].engine.title} was built, and does not import: {broken[0].detail}.", advice=f"See {log.path}"
        )
    return found


def _private_environment(folder: Path, progress: Progress, log: Log) -> str:
    progress.phase("Preparing")
    run_logged((sys.executable, "-m", "venv", str(folder / "venv")), log, advice="Debian has it in python3-venv.")
    return str(folder / "venv" / "bin" / "python")


def _build(wheel: Wheel, python: str, folder: Path, progress: Progress, log: Log) -> Path:
    environment = _build_environment(wheel, folder)
    progress.phase("Getting the build tools")
    run_logged((python, "-m", "pip", "install", "--disable-pip-version-check", *BUILD_TOOLS), log)
    _show_frameworks(Path(python))
    progress.phase("Compiling")
    source = ("--no-binary", "horovod", f"horovod=={HOROVOD_VERSION}")
    # pip's own cache would answer with a wheel for another PyTorch
    options = ("--no-cache-dir", "--no-deps", "--no-build-isolation", "--verbose", "-w", str(folder / "wheels"))
    run_logged(
        (python, "-m", "pip", "wheel", *options, *source),
        log,
        environment,
        on_line=lambda line: _report_percent(line, progress),
    )
    return _keep(next((folder / "wheels").glob("*.whl")), wheel)


def _build_environment(wheel: Wheel, folder: Path) -> Mapping[str, str]:
    wrapper = folder / "cxx"
    wrapper.write_text(_WRAPPER.format(compiler=_compiler()), encoding="utf-8")
    wrapper.chmod(0o755)
    return {
        **os.environ,
        **wheel.settings(),
        "CXX": str(wrapper),
        "MAKEFLAGS": os.environ.get("MAKEFLAGS", f"-j{os.cpu_count() or 1}"),
        "PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }


def _compiler() -> str:
    return os.environ.get("CXX", "g++")


def _require(*tools: tuple[str, str]) -> None:
    """Each tool is a command, with its options if it has any, and the package that Debian and Ubuntu have it in."""
    missing = {command: package for command, package in tools if shutil.which(command.split(maxsplit=1)[0]) is None}
    if missing:
        raise ExecutionError(
            f"building Horovod needs {' and '.join(missing)}, not found here.",
            advice=f"On Debian and Ubuntu: apt-get install {' '.join(missing.values())}",
        )


def _mpi_version() -> str:
    """Name and version of the MPI that is installed, as its ``mpirun`` says them.

    Raises:
        ExecutionError: there is none, or a part of it is missing.
    """
    _require(("mpicxx", "libopenmpi-dev"), ("mpirun", "openmpi-bin"))
    told = subprocess.run(("mpirun", "--version"), capture_output=True, text=True, check=False).stdout
    name = "openmpi" if "Open MPI" in told else "mpi"
    version = re.search(r"\d+(\.\d+)+", told)
    return f"{name}-{version[0]}" if version else name


def _show_frameworks(python: Path) -> None:
    """Lets the private environment import what the current one has, after its own."""
    here = dict.fromkeys(path for path in sys.path if path.endswith(("site-packages", "dist-packages")))
    private = next((python.parent.parent / "lib").glob("python*/site-packages"))
    (private / "frameworks.pth").write_text("\n".join(here), encoding="utf-8")


def _report_percent(line: str, progress: Progress) -> None:
    if match := re.match(r"\s*\[\s*(\d+)%\]", line):
        progress.percent(int(match[1]))


def _keep(built: Path, wheel: Wheel) -> Path:
    """Moves a wheel into the cache; others see it whole or not at all."""
    wheel.folder.mkdir(parents=True, exist_ok=True)
    scratch = wheel.folder / f".{os.getpid()}"
    shutil.copyfile(built, scratch)
    return scratch.replace(wheel.folder / built.name)


def _install(file: Path, python: str, progress: Progress, log: Log) -> None:
    progress.phase("Installing")
    pip = (python, "-m", "pip", "--python", sys.executable, "install", "--disable-pip-version-check")
    run_logged((*pip, "--no-deps", "--force-reinstall", str(file)), log)
    run_logged((*pip, str(file)), log)  # what it requires, and nothing newer than what is there


def _tensorflow_version() -> str | None:
    return next((found for name in _TENSORFLOW_PACKAGES if (found := _version(name))), None)


def _too_new(tensorflow: str) -> bool:
    """Whether Horovod does not compile with this version."""
    return tuple(map(int, tensorflow.split(".", 2)[:2])) >= _FIRST_TENSORFLOW_TOO_NEW


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
