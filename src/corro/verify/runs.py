"""Which runs a verification makes, in which order, and what each follows.

The distributed run keeps its own order and is only recorded. The sequential run repeats that order, compares its own
gradient with the recorded one at each step and then takes that over, so that each step is judged by itself and
rounding cannot grow. Free-running weights are no test: re-ordered sums alone lead correct programs apart.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from corro.errors import ExecutionError, UsageError
from corro.launch import generated_modules
from corro.verify.chance import steadied, texts_of_chance
from corro.verify.evidence import Announced, Ending, Evidence
from corro.verify.processes import Run, Runner
from corro.verify.progress import NOBODY, Progress
from corro.verify.records import ROOM, Record, aligned, read_ranks, repeated
from corro.verify.rooms import room
from corro.verify.settings import OUTSIDE, Following, Settings

CALIBRATION_STEPS = 8
SCRATCH_ELEMENTS = 2 << 30
"""So many elements of gradients are kept (8 GiB); steps after that are not compared."""

_ALONE = ("alone", "alone_reference", "again")
_SEEDS = {"ranks": 20_000, "alone": 30_000}
"""Processes start with different random numbers, as unseeded ones do; rank 0 and its reference with the same."""


@dataclass(frozen=True)
class Subject:
    """What is verified.

    Args:
        script: the user's sequential script.
        program: the distributed program's text, as a file.
        launcher: the engine's command.
        processes: how many.
        arguments: of the script.
        hooks: the folder of ``probe`` with the framework's hooks.
        directory: where the user would run it.
        directories: another directory for a run, by its name: what it left in an earlier stage.
        steps: end after so many optimizer steps; 0 for no limit.
        epochs: end after so many passes over the training loader; 0 for no limit.
        weak: the batch of each process was kept.
        growth: by how much weak scaling is to raise learning rates.
        converted: whether the program is Corro's.
        alone: whether it is also run on one process.
        free: whether a run without taking over gradients is compared at its end; for SGD.
        home: the folder below which the user's code lies; that of the script where none is named.
        package: the package that the script is a module of.
        lines: see ``Evidence``.
        devices: whether it is one process that has all devices.
        equal_decisions: see ``Evidence``.
        announced: see ``Evidence``.
    """

    script: Path
    program: Path
    launcher: str
    processes: int
    arguments: tuple[str, ...] = ()
    hooks: str = "pytorch"
    directory: Path = field(default_factory=Path.cwd)
    directories: Mapping[str, Path] = field(default_factory=dict)
    steps: int = 0
    epochs: int = 0
    weak: bool = False
    growth: float = 1.0
    converted: bool = True
    alone: bool = True
    free: bool = False
    home: Path | None = None
    package: str = ""
    lines: Mapping[str, str] = field(default_factory=dict)
    devices: bool = False
    equal_decisions: Mapping[str, str] = field(default_factory=dict)
    announced: tuple[Announced, ...] = ()

    @property
    def recorded(self) -> int:
        """How many processes the distributed program has."""
        return 1 if self.devices else self.processes


Report = Callable[[str], None]


def gather(
    subject: Subject,
    runner: Runner,
    folder: Path,
    report: Report = lambda text: None,
    cancel: Callable[[], None] = lambda: None,
    progress: Progress = NOBODY,
) -> Evidence:
    """Make all runs.

    Args:
        subject: what is verified.
        runner: what carries out a run.
        folder: scratch space; gradients take 4 bytes a parameter and step.
        report: told what is being done.
        cancel: ends the runs that are under way, when the caller is interrupted.
        progress: told which runs there will be; their runner tells it of their steps.

    Raises:
        ExecutionError: the sequential script itself fails.
    """
    gathering = _Gathering(subject, runner, folder, report, progress)
    with ThreadPoolExecutor(2) as pool:  # not in the caller's thread: there a signal means the end, and not of one run
        try:
            return gathering.evidence(pool)
        except BaseException:
            cancel()
            raise


class _Gathering:
    """One verification's runs: each has a folder of its own, with its records and its room."""

    def __init__(self, subject: Subject, runner: Runner, folder: Path, report: Report, progress: Progress) -> None:
        self.subject = subject
        self.runner = runner
        self.folder = folder
        self.report = report
        self.progress = progress
        self.endings: dict[str, Ending] = {}

    def evidence(self, pool: ThreadPoolExecutor) -> Evidence:
        """All runs; those that do not depend on each other two at a time."""
        subject = self.subject
        self._expect(subject.steps)
        self.report(f"{subject.processes} {'devices' if subject.devices else 'processes'}")
        pool.submit(self.distributed, "ranks", subject.processes).result()
        made = read_ranks(self.folder / "ranks")
        if any(each.unseen for each in made):
            return Evidence(subject.recorded, made, self.endings["ranks"], converted=subject.converted)
        following = self._followed("ranks")
        self._expect(min(len(each.steps) for each in made) if made else 0)
        self.report("the sequential run that follows them, and one process")
        reference = pool.submit(self.reference, following)
        alone = pool.submit(self.alone)
        reference.result()
        alone.result()
        if not following:
            self._must_run()
        found = Evidence(
            size=subject.recorded,
            ranks=read_ranks(self.folder / "ranks"),
            ending=self.endings["ranks"],
            reference=self._record("reference") if following else None,
            reference_ending=self.endings["reference"],
            alone=self._record("alone"),
            alone_ending=self.endings.get("alone", Ending()),
            alone_reference=self._record("alone_reference"),
            once=self._record("once"),
            spread=self._record("spread"),
            free=self._record("free"),
            free_spread=self._record("free_spread"),
            weak=subject.weak,
            growth=subject.growth,
            converted=subject.converted,
            lines=subject.lines,
            equal_decisions=subject.equal_decisions,
            announced=subject.announced,
            devices=subject.processes if subject.devices else 1,
        )
        return self._with_repetition(found, pool)

    def _expect(self, steps: int) -> None:
        """Tell of the runs that there will be, each of so many steps as the distributed one."""
        alone = _ALONE[:2] if self.subject.alone else ()
        for name in ("ranks", "reference", *alone):
            self.progress.expects(name, steps)
        self.progress.expects("spread", min(filter(None, (CALIBRATION_STEPS, steps))))

    def distributed(self, name: str, processes: int) -> None:
        """The distributed program."""
        subject = self.subject
        settings = self._settings(name, comparable=name == "ranks", kept=SCRATCH_ELEMENTS)
        self._run(name, settings, subject.program, processes, subject.launcher)

    def reference(self, following: bool) -> None:
        """The sequential run that follows the distributed one, and how far rounding alone goes."""
        if not following:
            self._sequential("reference", None)
            return
        weak, ranks, made = self.subject.weak, str(self.folder / "ranks"), read_ranks(self.folder / "ranks")
        kept = CALIBRATION_STEPS * _elements(made[0])
        until = min(len(each.steps) for each in made) if any(each.hung for each in made) else 0
        self._sequential("reference", Following(ranks, weak=weak), kept=kept, steps=until)
        if self._repeats(made):
            self._sequential("once", Following(ranks, weak=weak, once=True), steps=until)
        if self._record("reference") is not None:
            own = str(self.folder / "reference" / "rank0")
            other = Following(ranks, weak=weak, compare_with=own, reverse=True)
            limit = min(filter(None, (CALIBRATION_STEPS, self.subject.steps, until)))
            self._sequential("spread", other, steps=limit)
        if self.subject.free:
            self._sequential("free", Following(ranks, weak=weak, force=False))
            self._sequential("free_spread", Following(ranks, weak=weak, force=False, reverse=True))

    def alone(self) -> None:
        """The program on one process, and the sequential run that follows it bit by bit."""
        if not self.subject.alone:
            return
        self.distributed("alone", 1)
        if self._followed("alone"):
            self._sequential("alone_reference", self._following_alone())

    def _following_alone(self) -> Following:
        """A program by hand may sum in another order, and each of its steps is judged by itself."""
        return Following(str(self.folder / "alone"), force=not self.subject.converted)

    def _must_run(self) -> None:
        """Say where the sequential script fails, when it was run because the distributed program had failed.

        Raises:
            ExecutionError: it fails.
        """
        record, ending = self._record("reference"), self.endings["reference"]
        if ending.stuck or (record is not None and not record.error and not ending.status):
            return
        error = record.error.strip().splitlines()[-1] if record is not None and record.error else ending.output
        where = f"{record.line}: " if record is not None and record.line else ""
        if OUTSIDE in error:
            raise ExecutionError(
                f"{where}{error[error.index(OUTSIDE) :]}.",
                advice="Give it a path below these, by an argument of the script for instance.",
            )
        said = f"{where}{error or f'exit status {ending.status}'}".rstrip(".")
        raise ExecutionError(
            f"the sequential script itself fails: {said}.",
            advice="There is nothing to compare with: fix it first.",
        )

    def _with_repetition(self, found: Evidence, pool: ThreadPoolExecutor) -> Evidence:
        """A second run equal to the reference's tells what the script writes differently by itself, such as times."""
        own, wanted = found.alone, found.alone_reference
        if own is None or wanted is None or _texts(own) == _texts(wanted):
            return found
        self.report("the sequential run once more: its output differs")
        pool.submit(self._sequential, "again", self._following_alone()).result()
        again = self._record("again")
        texts = texts_of_chance(wanted, again) if again is not None else ()
        return replace(
            found,
            ranks=[steadied(each, texts) for each in found.ranks],
            reference=found.reference and steadied(found.reference, texts),
            once=found.once and steadied(found.once, texts),
            alone=steadied(own, texts),
            alone_reference=steadied(wanted, texts),
            again=again and steadied(again, texts),
        )

    def _repeats(self, made: Sequence[Record]) -> bool:
        """Whether samples are repeated to fill up batches, and what a run without them would be steered by is there."""
        steered = all(step.offset >= 0 for step in made[0].steps)
        return steered and any(repeated(made, row) for row in aligned(made))

    def _followed(self, name: str) -> bool:
        """Whether a run left what a sequential run can follow."""
        records = read_ranks(self.folder / name)
        wanted = self.subject.recorded if name == "ranks" else 1
        return len(records) == wanted and all(not each.error and (each.steps or not each.hung) for each in records)

    def _sequential(self, name: str, following: Following | None, *, steps: int = 0, kept: int = 0) -> None:
        forced = following is not None and (following.force or following.reverse or name == "free")
        forced = forced and name not in _ALONE
        settings = self._settings(name, comparable=forced, kept=kept, following=following)
        if steps:
            settings = replace(settings, steps=steps)
        self._run(name, settings, None, 1, "")

    def _settings(self, name: str, *, comparable: bool, kept: int = 0, following: Following | None = None) -> Settings:
        return Settings(
            folder=str(self.folder / name),
            hooks=self.subject.hooks,
            program="",
            script="",
            seed=_SEEDS["alone" if name in _ALONE else "ranks"],
            steps=self.subject.steps,
            epochs=self.subject.epochs,
            comparable=comparable,
            kept=kept,
            final=self.subject.free,
            following=following,
        )

    def _run(self, name: str, settings: Settings, program: Path | None, processes: int, launcher: str) -> None:
        by_hand = program is not None and not self.subject.converted
        script = self.subject.program if by_hand else self.subject.script
        directory = self.subject.directories.get(name, self.subject.directory)
        where = room(directory, script, self.folder / name / ROOM)
        program = where.script if by_hand or program is None else program
        settings = replace(settings, program=str(program), script=str(where.script), rooms=where.folders)
        settings = replace(settings, **self._code(program, where.script))
        job = Run(
            program,
            where.script,
            self.subject.arguments,
            where.directory,
            settings,
            processes,
            launcher,
            share=self.subject.processes,
            beside=self.subject.launcher,
            package=self.subject.package,
        )
        self.endings[name] = self.runner(job)

    def _code(self, program: Path, script: Path) -> dict[str, Any]:
        """Where the user's code is in a room, and how places name what is loaded in the place of its modules."""
        above = os.path.relpath(self.subject.home, self.subject.script.resolve().parent) if self.subject.home else ""
        home = os.path.normpath(script.parent / above)
        modules = generated_modules(program).items()
        names = {str(text): os.path.relpath(script.parent / module, home) for text, module in modules}
        return {"home": home, "modules": names}

    def _record(self, name: str) -> Record | None:
        records = read_ranks(self.folder / name)
        return records[0] if records else None


@contextmanager
def scratch(keep: Path | None = None) -> Iterator[Path]:
    """A folder for a verification; it goes with all gradients in it, unless it is one to keep.

    Raises:
        UsageError: the folder to keep holds something, or cannot be made.
    """
    if keep is not None:
        try:
            keep.mkdir(parents=True, exist_ok=True)
            used = any(keep.iterdir())
        except OSError as error:
            raise UsageError(f"the folder {keep} cannot be made: {error.strerror}.") from error
        if used:
            raise UsageError(f"the folder {keep} is not empty.", advice="Choose another --keep FOLDER.")
        yield keep.absolute()
        return
    with tempfile.TemporaryDirectory(prefix="corro-verify-", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def _elements(record: Record) -> int:
    return max((sum(step.layout) for step in record.steps), default=0)


def _texts(record: Record) -> object:
    lines = [each.text for each in (*record.stdout, *record.stderr)]
    made = record.writes, record.files, [(each.path, each.entries) for each in (*record.saves, *record.reports)]
    return lines, *made
