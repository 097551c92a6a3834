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
import sys
import sysconfig
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from rueda.cache import cache_directory
from rueda.engines.commands import Log, run_logged
from rueda.engines.health import HOROVOD, Health, State, examine
from rueda.errors import ExecutionError

HOROVOD_VERSION = "0.28.1"
BUILD_TOOLS = ("setuptools<81", "wheel", "packaging", "cmake<4", "cffi", "cloudpickle", "psutil", "pyyaml")
FIRST_TENSORFLOW_TOO_NEW = (2, 16)
_TENSORFLOW_PACKAGES = ("tensorflow", "tensorflow-cpu", "tensorflow-macos", "tensorflow-intel")

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
    """All that one build of Horovod depends on; builds that agree in it are interchangeable."""

    python: str
    machine: str
    torch: str | None
    tensorflow: str | None
    mpi: bool

    @property
    def key(self) -> str:
        """A folder name that says it all."""
        frameworks = [f"torch-{self.torch}"] if self.torch else []
        frameworks += [f"tensorflow-{self.tensorflow}"] if self.tensorflow else []
        parts = [f"horovod-{HOROVOD_VERSION}", self.python, self.machine, *frameworks, "mpi" if self.mpi else "gloo"]
        return re.sub(r"[^\w.+-]", "_", "_".join(parts))

    @property
    def folder(self) -> Path:
        """Where the wheel is kept."""
        return cache_directory() / "wheels" / self.key

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
        ExecutionError: there is no framework to build for.
    """
    torch, tensorflow = _version("torch"), _tensorflow_version()
    if torch is None and tensorflow is None:
        raise ExecutionError(
            "there is no framework to build Horovod for.", advice="Install it first: pip install torch"
        )
    libc = "".join(platform.libc_ver())
    machine = f"{sysconfig.get_platform()}-{libc}" if libc else sysconfig.get_platform()
    return Wheel(sys.implementation.cache_tag + sys.abiflags, machine, torch, tensorflow, mpi)


def setup_horovod(progress: Progress, *, mpi: bool = False, rebuild: bool = False) -> Health:
    """Makes Horovod work in the current environment: from the cache where possible, else built.

    Raises:
        ExecutionError: a tool is missing, the build failed, or the result does not import.
    """
    wheel = wheel_for(mpi=mpi)
    log = Log(cache_directory() / "logs" / f"{wheel.key}.log")
    with tempfile.TemporaryDirectory(prefix="rueda-horovod-") as folder:
        python = _private_environment(Path(folder), progress, log)
        file = None if rebuild else wheel.file()
        if file is None:
            file = _build(wheel, python, Path(folder), progress, log)
        _install(file, python, progress, log)
    progress.phase("Importing it")
    health = examine(HOROVOD)
    if health.state is not State.WORKS:
        raise ExecutionError(f"Horovod was built, and does not import: {health.detail}.", advice=f"See {log.path}")
    return health


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
    compiler = os.environ.get("CXX", "g++")
    _require(compiler, "Debian has it in g++.")
    _require("make", "Debian has it in make.")
    if wheel.mpi:
        _require("mpicxx", "Debian has it in libopenmpi-dev and openmpi-bin.")
    wrapper = folder / "cxx"
    wrapper.write_text(_WRAPPER.format(compiler=compiler), encoding="utf-8")
    wrapper.chmod(0o755)
    return {
        **os.environ,
        **wheel.settings(),
        "CXX": str(wrapper),
        "MAKEFLAGS": os.environ.get("MAKEFLAGS", f"-j{os.cpu_count() or 1}"),
        "PATH": f"{folder / 'venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}",
    }


def _require(command: str, advice: str) -> None:
    if shutil.which(command.split(maxsplit=1)[0]) is None:
        raise ExecutionError(f"building Horovod needs {command}, which is not here.", advice=advice)


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
    """The installed TensorFlow, if it is one that Horovod compiles with."""
    version = next((found for name in _TENSORFLOW_PACKAGES if (found := _version(name))), None)
    if version is None or tuple(map(int, version.split(".", 2)[:2])) >= FIRST_TENSORFLOW_TOO_NEW:
        return None
    return version


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
