"""What has to be right before anything is run: the script, the targets, what is installed."""

from __future__ import annotations

import platform
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from corro import __version__, targets
from corro.bench.runs import Program
from corro.compiler import program_of
from corro.errors import CompilationError, ExecutionError
from corro.launch import launcher_named, write_program
from corro.launch.launchers import usable_cores
from corro.plan import Outcome
from corro.verify.origins import home_of

if TYPE_CHECKING:
    from corro.bench.design import Way
    from corro.compiler import Output
    from corro.engines import Health
    from corro.launch import Launcher

_LIBRARIES = ("torch", "tensorflow", "tensorflow-cpu", "keras", "jax", "horovod", "numpy")


def must_train(output: Output) -> None:
    """See that there is a sequential script that trains.

    Raises:
        CompilationError: it trains nothing, is distributed already, or is a notebook.
    """
    path, outcome = output.source.path, output.plan.outcome
    if path.suffix == ".ipynb":
        raise CompilationError(
            f"{path} is a notebook, which cannot be measured.",
            advice=f"Make a script of it and measure that: jupyter nbconvert --to script {path}",
        )
    if outcome is Outcome.ALREADY_DISTRIBUTED:
        raise CompilationError(
            f"{path} is distributed already.", advice="Give the sequential script that it was made from."
        )
    if outcome is Outcome.NOTHING:
        raise CompilationError(
            f"{path}: no training was found in it, by PyTorch, Keras or TensorFlow.",
            advice="Give the script that trains; if it does, see docs/support.md for what is recognised.",
        )


def launcher_of(target: str, frontend: str) -> Launcher:
    """What starts the programs of a target."""
    return launcher_named(targets.get(target, frontend).launcher)


def must_work(found: Sequence[Health]) -> None:
    """See that engines are installed and can be imported.

    Raises:
        ExecutionError: one is not, or cannot.
    """
    for health in found:
        if health.state.value != "works":
            raise ExecutionError(
                f"--to {health.engine.name}: {health.engine.title} is {health.state.value} here: {health.detail}.",
                advice=f"Get it: {health.engine.advice}; or leave it out of --to.",
            )


def program_for(output: Output) -> Program:
    """The program of a target, as a file."""
    assert output.text is not None
    source, plan = output.source, output.plan
    modules = {module.source.path: module.encode() for module in output.modules}
    text = write_program(source.encode(output.text), source.path.absolute(), plan.target, modules)
    return Program(text, launcher_of(plan.target, plan.frontend).name)


def way_of(output: Output) -> Way:
    """What the program differs by from others of its script."""
    plan = output.plan
    return plan.target, plan.scaling, plan.exchange


def home(outputs: Sequence[Output]) -> Path | None:
    """The folder below which the user's code lies, as all programs see it."""
    converted = [each for each in outputs if each.text is not None]
    return min((home_of(each) for each in converted), key=lambda path: len(path.parts), default=None)


def texts(output: Output) -> tuple[str, ...]:
    """All that the user's program consists of: another text is another experiment."""
    return tuple(file.text for file in program_of(output.source).files)


def machine() -> str:
    """The machine and the libraries in one line: runs of another one are not taken for the same."""
    versions = {}
    for name in _LIBRARIES:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    libraries = ", ".join(f"{name} {version}" for name, version in versions.items())
    python = f"Python {platform.python_version()}"
    return f"{_processor()}, {usable_cores()} cores, {platform.system()}, {python}, {libraries}, Corro {__version__}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named: Mapping[str, str] = dict(tuple(map(str.strip, line.split(":", 1))) for line in lines if ":" in line)  # type: ignore[misc]
    return named.get("model name", platform.machine())
