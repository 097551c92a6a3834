"""One run: started in processes of its own, measured, and told as a row."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from math import isfinite, nan
from operator import truediv
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from corro.bench.design import SEQUENTIAL, Treatment, Way
from corro.bench.options import Option
from corro.bench.store import Row
from corro.errors import CorroError
from corro.launch import LaunchPlan, Task, alone, generated_modules, launcher_named, run
from corro.verify.numbers import NUMBER
from corro.verify.records import ROOM, Printed, Record, read_ranks
from corro.verify.rooms import Room, room
from corro.verify.settings import OUTSIDE, Settings

RESPONSES = {
    "wall_seconds": "from launch to the end of the last process",
    "startup_seconds": "from launch to the end of the first step, of the slowest process",
    "training_seconds": "from the end of the first step to that of the last",
    "cpu_seconds": "processor time of all processes, that of the launcher included",
    "sent_bytes": "what went over the network meanwhile, between processes of this machine, too; of all who use it",
    "steps": "optimizer steps of a process",
    "samples_per_second": "in the steady state, of all processes together",
    "steps_per_second": "the same in steps, of all processes together where they are not connected",
    "step_median_seconds": "of a step in the steady state, of the first process",
    "step_p95_seconds": "95 % of these steps take no longer",
    "peak_bytes": "the most memory that a process had at a time",
}
"""What is measured of a run. What cannot be is not there: a script whose steps are not seen has no rates."""

_TRANSMITTED = 8
"""The column of bytes that were sent."""
_METER = "CORRO_METER"
_THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "TF_NUM_INTRAOP_THREADS")
_FEWEST_STEPS = 3
_TIME_UNIT = r"\s*(?:s|ms|it|secs?|seconds|min|minutes|h)\b"
_PAIR = re.compile(rf"(?P<name>[A-Za-z][A-Za-z_/. -]*?)[\s:=(]*(?P<number>{NUMBER.pattern})(?![\d.]*\d|{_TIME_UNIT})")
_NO_RESULT = re.compile(
    r"\b(time|secs?|seconds|elapsed|eta|ms|step|lr|rate|speed|epoch|throughput)\b|/s", re.IGNORECASE
)
_MOST_NUMBERS = 8
_TIMES = "times.json"
_SCRATCH = "corro-bench-"


@dataclass(frozen=True)
class Program:
    """What is run for a target and a scaling, or sequentially.

    Args:
        text: the file whose text is run; the script itself where ``None``.
        launcher: the engine's command; empty for a sequential run.
    """

    text: Path | None = None
    launcher: str = ""


@dataclass(frozen=True)
class Subject:
    """What is measured.

    Args:
        script: the user's.
        programs: by engine, scaling and exchange of gradients.
        options: of the script, by the factors that vary them.
        arguments: of the script, in all runs.
        directory: where the user would run it.
        home: the folder below which the user's code lies.
        package: the package that the script is a module of.
        steps: end each run after so many steps; 0 for no limit.
        warm_up: so many steps at the beginning are not counted.
        seeds: the arguments that each replication adds, in turn: it has another seed.
    """

    script: Path
    programs: Mapping[Way, Program]
    options: Mapping[str, Option] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    directory: Path = field(default_factory=Path.cwd)
    home: Path | None = None
    package: str = ""
    steps: int = 0
    warm_up: int = 5
    seeds: tuple[tuple[str, ...], ...] = ()

    def given(self, treatment: Treatment, block: int = 1) -> tuple[str, ...]:
        """The arguments of the script for a treatment in a block: what is varied comes last."""
        levels = (self.options[name].arguments(level) for name, level in treatment.options)
        seed = self.seeds[(block - 1) % len(self.seeds)] if self.seeds else ()
        return (*self.arguments, *(each for arguments in levels for each in arguments), *seed)


Watch = Callable[[int], None]


def measured(
    subject: Subject,
    treatment: Treatment,
    block: int,
    *,
    watch: Watch = lambda steps: None,
    cancelled: Callable[[], bool] = lambda: False,
    limit_seconds: float = float("inf"),
) -> Row:
    """Make one run, to its end, and measure it.

    Args:
        subject: what is run.
        treatment: how.
        block: for the row.
        watch: told how many steps were made, all the time.
        cancelled: asked all the time; once it says so, the run is killed.
        limit_seconds: after so many seconds it is killed and has failed.

    Raises:
        ExecutionError: the launcher is not installed.
    """
    many = treatment.processes if not treatment.distributed and treatment.target != SEQUENTIAL else 1
    with tempfile.TemporaryDirectory(prefix=f"{_SCRATCH}{os.getpid()}-", ignore_cleanup_errors=True) as scratch:
        folders = [Path(scratch, str(number)) for number in range(many)]
        plans = [launch(subject, treatment, folder, block) for folder in folders]
        began, worked, sent = time.monotonic(), _cpu_seconds(), sent_bytes()
        late = False

        def gives_up() -> bool:
            nonlocal late
            watch(min(map(_steps_made, folders)))
            late = late or time.monotonic() - began > limit_seconds
            return late or cancelled()

        with ThreadPoolExecutor(many) as pool:  # a signal ends the experiment, and not one launch
            outputs = [folder / "output.txt" for folder in folders]
            runs = [pool.submit(run, *each, gives_up, to_the_last=True) for each in zip(plans, outputs, strict=True)]
            statuses = [each.result() for each in runs]
        wall, cpu = time.monotonic() - began, _cpu_seconds() - worked
        ranks = [record for folder in folders for record in read_ranks(folder)]
        failed = f"it was ended after {limit_seconds:.0f} s" if late else failure(statuses, ranks, outputs)
        found = {
            "wall_seconds": wall,
            "cpu_seconds": cpu,
            **_known(sent_bytes=sent_bytes() - sent),
            **responses(times_of(ranks), began, subject.warm_up, many > 1),
        }
        # what is reported by a run that was ended early is no result
        written = [] if failed or subject.steps else [line for each in ranks[:1] for line in each.stdout]
        series = reported(written, began)
        return Row(block, treatment, failed, found, {name: own[-1][1] for name, own in series.items()}, series)


def attempted(
    subject: Subject,
    treatment: Treatment,
    block: int,
    limit_seconds: float,
    watch: Watch,
    cancelled: Callable[[], bool],
) -> Row:
    """The same, where a run that cannot be made is a row, too: others may be possible."""
    try:
        return measured(subject, treatment, block, watch=watch, cancelled=cancelled, limit_seconds=limit_seconds)
    except (CorroError, OSError) as error:
        return Row(block, treatment, str(error))


def tidy() -> None:
    """Remove the folders of runs whose experiment was killed: nobody could do it then."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_SCRATCH}*-*"):
        owner = folder.name.removeprefix(_SCRATCH).partition("-")[0]
        if owner.isdecimal() and not _is_there(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # somebody else's
        return True
    return True


def launch(subject: Subject, treatment: Treatment, folder: Path, block: int = 1) -> LaunchPlan:
    """The launch of a measured run in a room of its own, below a folder; of one of several sequential ones."""
    chosen = subject.programs.get(treatment.program, Program())
    where = room(subject.directory, subject.script, folder / ROOM)
    program = where.script if chosen.text is None else chosen.text
    processes = treatment.processes if treatment.distributed else 1
    task = Task(program, str(where.script), subject.given(treatment, block), processes, subject.package)
    launcher = launcher_named(chosen.launcher) if chosen.launcher else None
    plan = launcher.plan(task) if launcher else alone(task)
    settings = _settings(subject, program, where, folder)
    settings.write(folder / "settings.json")
    devices = treatment.processes if launcher is not None and launcher.options is None else 1
    threads = dict.fromkeys(_THREADS, str(treatment.threads * devices))
    added = {_METER: str(folder / "settings.json"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**plan.environment, **threads, **added}
    return replace(plan, environment=environment, directory=where.directory)


def _settings(subject: Subject, program: Path, where: Room, folder: Path) -> Settings:
    above = os.path.relpath(subject.home, subject.script.resolve().parent) if subject.home else ""
    home = os.path.normpath(where.script.parent / above)
    modules = {
        str(text): os.path.relpath(where.script.parent / module, home)
        for text, module in generated_modules(program).items()
    }
    return Settings(
        folder=str(folder),
        hooks="",
        program=str(program),
        script=str(where.script),
        steps=subject.steps,
        rooms=where.folders,
        home=home,
        modules=modules,
    )


def _steps_made(folder: Path) -> int:
    made = []
    for beat in folder.glob("rank*/beat"):
        with contextlib.suppress(OSError, ValueError):
            made.append(int(beat.read_text()))
    return min(made, default=0)


def _cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sent_bytes(interfaces: Path = Path("/proc/net/dev")) -> float:
    """What was sent over all network interfaces so far, the loopback included; ``nan`` where Linux does not say it.

    Source: proc(5), ``/proc/net/dev``.
    """
    try:
        lines = interfaces.read_text(encoding="ascii").splitlines()[2:]
        return float(sum(int(line.partition(":")[2].split()[_TRANSMITTED]) for line in lines))
    except (OSError, ValueError, IndexError):
        return nan


def _known(**found: float) -> dict[str, float]:
    return {name: value for name, value in found.items() if isfinite(value)}


def failure(statuses: Sequence[int], ranks: Sequence[Record], outputs: Sequence[Path]) -> str:
    """Why a run failed, in one line; empty where it did not."""
    first = min((each for each in ranks if each.error), key=lambda each: each.ended, default=None)
    if first is not None:
        said = first.reason or first.error
        if said.endswith(":"):  # what TensorFlow says comes after the user's frames
            said = first.error.strip().splitlines()[-1].strip()
        if OUTSIDE in said:
            said = said[said.index(OUTSIDE) :].replace("corro verify", "corro bench", 1)
        return f"{first.line}: {said}" if first.line else said
    status = next(filter(None, statuses), 0)
    if not status:
        return ""
    lines = [line for each in outputs if each.exists() for line in each.read_text(errors="replace").split("\n") if line]
    return f"exit status {status}" + (f": {lines[-1]}" if lines else "")


def times_of(ranks: Sequence[Record]) -> list[dict[str, Any]]:
    """What the clocks of processes left."""
    files = [Path(each.folder, _TIMES) for each in ranks]
    return [json.loads(each.read_text()) for each in files if each.exists()]


def responses(
    ranks: Sequence[Mapping[str, Any]], began: float, warm_up: int, unconnected: bool = False
) -> dict[str, float]:
    """What the times of all processes say; see ``RESPONSES``.

    A step lasts from the end of the one before it to its own. The first ``warm_up`` steps are not counted, nor those
    before which a pass over data began: they have an evaluation in them, or the beginning of an epoch.

    Args:
        ranks: of each process what ``meter.clock`` leaves: ``ends`` of steps in seconds of the monotonic clock,
            ``samples`` of each, whether each is ``whole``, and ``peak_bytes``.
        began: when the launch was, by the same clock.
        warm_up: so many steps are left out.
        unconnected: whether each process makes steps of its own.
    """
    found: dict[str, float] = {}
    if ranks:
        found["peak_bytes"] = max(each["peak_bytes"] for each in ranks)
    if not ranks or not all(each["ends"] for each in ranks):
        return found
    found["startup_seconds"] = max(each["ends"][0] for each in ranks) - began
    found["training_seconds"] = max(each["ends"][-1] - each["ends"][0] for each in ranks)
    found["steps"] = min(len(each["ends"]) for each in ranks)
    steady = [_steady(each, warm_up) for each in (ranks if unconnected else _together(ranks))]
    if all(len(each) >= _FEWEST_STEPS for each in steady):
        seconds = sorted(second for second, _ in steady[0])
        found["step_median_seconds"] = median(seconds)
        found["step_p95_seconds"] = quantiles(seconds, n=20, method="inclusive")[-1]
        own = [sum(second for second, _ in each) for each in steady]
        lasted = own if unconnected else [max(own)] * len(own)  # together they are as fast as the slowest
        rates = [len(each) / total for each, total in zip(steady, lasted, strict=True)]
        found["steps_per_second"] = sum(rates) if unconnected else min(rates)
        if all(map(_counted, steady)):
            samples = [sum(n for _, n in each) for each in steady]
            found["samples_per_second"] = sum(map(truediv, samples, lasted))
    return found


def _together(ranks: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Processes that make their steps together: where one evaluates the others wait, in a step that is not whole."""
    whole = [all(each) for each in zip(*(rank["whole"] for rank in ranks), strict=False)]
    return [{**rank, "whole": [*whole, *rank["whole"][len(whole) :]]} for rank in ranks]


def _steady(rank: Mapping[str, Any], warm_up: int) -> list[tuple[float, int]]:
    """Seconds and samples of each step that is counted; of the last step before, only its end."""
    ends, samples, whole = rank["ends"], rank["samples"], rank["whole"]
    counted = range(max(1, warm_up), len(ends))
    return [(ends[n] - ends[n - 1], samples[n]) for n in counted if whole[n]]


def _counted(steps: Sequence[tuple[float, int]]) -> bool:
    """Whether the samples of all of these steps are known. A process may have none in one: of a last, small batch."""
    samples = [own for _, own in steps]
    return min(samples) >= 0 and sum(samples) > 0


def reported(lines: Sequence[Printed], began: float) -> dict[str, list[tuple[float, float]]]:
    """The numbers that a script reports, by the words before them: those with a decimal point.

    Whole numbers count something, and times are measured better here.

    Args:
        lines: what it has written; a line that is written anew and anew counts as it stands in the end.
        began: when the launch was, by the clock of the lines.

    Returns:
        Of each number the seconds since the launch and the value, each time that it was reported; the numbers in the
        order of the last time, and those that were reported last of all.
    """
    found: dict[str, list[tuple[float, float]]] = {}
    for written in lines:
        line = written.text
        last = re.split(r"[\r\b]", line)[-1] or line
        for each in _PAIR.finditer(last):
            name, number = (
                " ".join(each["name"].rpartition(" - ")[2].split()).strip(" -./"),
                each["number"].replace(",", ""),
            )
            if name and "." in number and not _NO_RESULT.search(name):
                found[name] = [*found.pop(name, []), (written.at - began, float(number))]
    return dict(list(found.items())[-_MOST_NUMBERS:])
