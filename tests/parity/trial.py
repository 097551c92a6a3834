"""One script put to the test by ``corro verify``'s own machinery, in stages when it resumes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
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
from corro.verify.runs import gather
from corro.verify.verdict import Verdict

WEIGHT_TOLERANCE = 1e-5


def verdicts(
    case: Case, runner: Forked, tmp_path: Path, target: str, size: int = 2, **how: Any
) -> Iterator[tuple[Verdict, Evidence]]:
    """What comes of each stage of a case."""
    directory = tmp_path / "here"
    directory.mkdir(parents=True)
    case.furnish(directory)
    output = compile_file(case.copy(tmp_path / "scripts"), target=target, **how)
    directories: dict[str, Path] = {}
    for number, arguments in enumerate(case.stages):
        subject = replace(subject_of(output, size, arguments), directory=directory, directories=directories)
        subject = replace(subject, free=case.sgd, steps=case.steps)
        folder = tmp_path / f"stage{number}"
        evidence = gather(subject, runner, folder)
        keep_weights_apart(evidence, folder, calibrate=case.calibrate)
        yield judge(evidence), evidence
        directories = left_by(folder, directory)


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
