"""One script put to the test by ``corro verify``'s own machinery, in stages when it resumes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from forked import Forked

from cases import Case
from corro.compiler import compile_file
from corro.verify import subject_of
from corro.verify.evidence import Evidence
from corro.verify.properties import judge
from corro.verify.records import FINAL
from corro.verify.runs import Subject, gather
from corro.verify.verdict import Verdict
from dependencies import CORRO, MADE_WITH, REMEMBERING, ROOT, closure, contents, text
from remembered import Known

WEIGHT_TOLERANCE = 1e-5
HERE = Path(__file__).resolve().parent
VERIFY, PROBE = CORRO / "verify", CORRO / "verify" / "probe"
RUNNING = tuple(HERE / f"{name}.py" for name in ("forked", "server", "tensorboard_alone", "tracker_alone"))
"""What carries out runs here, in processes that are forked."""


@dataclass(frozen=True)
class Trial:
    """What a test needs to put a case to the test: processes, a folder, and what it knows from earlier runs."""

    runner: Forked
    folder: Path
    known: Known

    def verdicts(self, case: Case, target: str, size: int = 2, **how: Any) -> Iterator[tuple[Verdict, Evidence]]:
        """What comes of each stage of a case; nothing of one that passed the same test with the same program."""
        directory = self.folder / "here"
        directory.mkdir(parents=True)
        case.furnish(directory)
        output = compile_file(case.copy(self.folder / "scripts"), target=target, **how)
        subjects = [
            replace(subject_of(output, size, each), directory=directory, free=case.sgd, steps=case.steps)
            for each in case.stages
        ]
        if self.known(*of_case(case, subjects, self.folder), using=running(subjects[0].hooks, self.known.module)):
            return
        directories: dict[str, Path] = {}
        for number, subject in enumerate(subjects):
            folder = self.folder / f"stage{number}"
            evidence = gather(replace(subject, directories=directories), self.runner, folder)
            keep_weights_apart(evidence, folder, calibrate=case.calibrate)
            yield judge(evidence), evidence
            directories = left_by(folder, directory)


def of_case(case: Case, subjects: list[Subject], folder: Path) -> Iterator[str]:
    """All that is said of a case, as texts: what is run, and what is expected of it."""
    yield json.dumps(asdict(case), default=str, sort_keys=True).replace(str(folder), "").replace(str(ROOT), "")
    yield from of_subjects(subjects, folder)
    yield from contents(*(each for each in (folder / "scripts", folder / "here") if each.exists()), root=folder)


def of_subjects(subjects: list[Subject], folder: Path) -> Iterator[str]:
    """What is verified, as texts, wherever it lies: below ``folder``, and the programs where Corro keeps them."""
    for made in subjects:
        yield json.dumps(asdict(made), default=_plain, sort_keys=True).replace(str(folder), "")
        if not made.program.is_relative_to(folder):
            yield from contents(made.program.parent, root=made.program.parent)  # with modules that are written anew


def _plain(value: object) -> object:
    """A value of a subject as text: a file by what it says."""
    if isinstance(value, Path) and value.is_file():
        return [value.name, text(value)]
    return sorted(map(str, value)) if isinstance(value, (set, frozenset)) else str(value)


NOT_ASKED_FOR = frozenset(path for name in ("bench", "forecast", "trace") for path in (CORRO / name).rglob("*.py"))
"""A program imports them where it is told by variables that no test here sets."""


@cache
def running(hooks: str, *others: Path) -> tuple[Path, ...]:
    """All files that take part in running and judging a program whose framework has these hooks; not what made it."""
    started = [*(CORRO / "launch").rglob("*.py"), *(PROBE / hooks).rglob("*.py"), *PROBE.glob("*.py")]
    judging = [VERIFY / "runs.py", *(VERIFY / "properties").rglob("*.py")]
    return closure(*RUNNING, *started, *judging, *others, without=MADE_WITH | NOT_ASKED_FOR | REMEMBERING)


def left_by(folder: Path, directory: Path) -> dict[str, Path]:
    """Where each run of a stage left its files: where it begins in the next one."""
    real = directory.resolve()
    made = {path.name: path / "room" / real.relative_to(real.anchor) for path in folder.iterdir()}
    return {**made, "spread": made["reference"], "again": made["alone_reference"]}


def keep_weights_apart(evidence: Evidence, folder: Path, *, calibrate: bool) -> None:
    """Weights at the end of runs that were not forced: within 1e-5 of each tensor's norm, or what rounding alone does.

    Only for SGD: other optimizers amplify rounding.
    """
    if evidence.free is None:
        return
    own, free, spread = (_final(folder / name) for name in ("ranks", "free", "free_spread"))
    limits = [max(WEIGHT_TOLERANCE, 4 * each if calibrate else 0.0) for each in _apart(spread, free)]
    for number, difference in enumerate(_apart(own, free)):
        assert difference <= limits[number], f"parameter {number} differs by {difference:.1e} at the end"


def _final(folder: Path) -> list[np.ndarray]:
    with np.load(folder / "rank0" / FINAL) as arrays:
        return [arrays[name] for name in arrays.files]


def _apart(own: list[np.ndarray], wanted: list[np.ndarray]) -> list[float]:
    return [
        float(np.linalg.norm((a - b).ravel()) / max(np.linalg.norm(b.ravel()), 1e-30))
        for a, b in zip(own, wanted, strict=True)
    ]
