"""The steps that a profiled process leaves, as the share of a profile."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median
from typing import Any

from corro.classes import dataclass
from corro.errors import ExecutionError
from corro.forecast.profile import Gradient, Share

FILE = "forecast.json"
_FEWEST = 3


@dataclass(frozen=True)
class Run:
    """What one profiled process did.

    Args:
        told: what ``inside`` leaves of it: rows, parameters and sizes.
        times: what its clock leaves: ``ends``, ``samples`` and ``whole`` of each step.
        startup: from launch to the end of the first step, in seconds.
        whole: whether the program came to its own end.
    """

    told: dict[str, Any]
    times: dict[str, Any]
    startup: float
    whole: bool

    def steady(self, warm_up: int) -> list[tuple[dict[str, Any], float, int]]:
        """Row, seconds and samples of each step without the first ones, and without those that begin a pass."""
        ends = self.times["ends"]
        counted = (n for n in range(max(1, warm_up), len(ends)) if self.times["whole"][n])
        return [(self.told["rows"][n], ends[n] - ends[n - 1], self.times["samples"][n]) for n in counted]

    def begun(self) -> list[tuple[dict[str, Any], float]]:
        """Row and seconds of each step before which another pass begins: what is between two passes is in them."""
        ends = self.times["ends"]
        return [
            (self.told["rows"][n], ends[n] - ends[n - 1]) for n in range(1, len(ends)) if not self.times["whole"][n]
        ]


def read(folder: Path, times: dict[str, Any], startup: float, *, whole: bool) -> Run:
    """What a process left in a folder."""
    return Run(json.loads((folder / FILE).read_text()), times, startup, whole)


def gradients(runs: Sequence[Run], warm_up: int) -> tuple[tuple[str, Gradient], ...]:
    """The gradients of each step in the order in which they are usually there, with the numbers of their parameters.

    Raises:
        ExecutionError: there are too few steps, or not all give the same.
    """
    rows = [row for run in runs for row, _, _ in run.steady(warm_up)]
    if len(rows) < _FEWEST:
        raise ExecutionError(
            "too few steps were seen to forecast others: a pass over the data has fewer than are needed.",
            advice="Give more of them: --steps 100, or fewer to begin with: --warm-up 1.",
        )
    first = rows[0]["ready"].keys()
    if not first or any(row["ready"].keys() != first for row in rows):
        raise ExecutionError(
            "not all of its steps give the same gradients, as with several optimizers: they are not forecast.",
            advice="Measure it instead: corro bench SCRIPT -n 2.",
        )
    usual = {number: median(row["ready"][number] - row["backward"] for row in rows) for number in first}
    parameters = runs[0].told["parameters"]
    ordered = sorted(usual, key=usual.__getitem__)
    return tuple((number, Gradient(*parameters[int(number)])) for number in ordered)


def batch_of(run: Run, warm_up: int) -> int:
    """Samples of a step.

    Raises:
        ExecutionError: no loader gives them.
    """
    found = round(median(samples for _, _, samples in run.steady(warm_up)))
    if found <= 0:
        raise ExecutionError(
            "how many samples a step has was not seen: they come from no loader of PyTorch.",
            advice="Measure it instead: corro bench SCRIPT -n 2.",
        )
    return found


def share_of(runs: Sequence[Run], order: Sequence[str], processes: int, *, engine: bool, warm_up: int) -> Share:
    """What one of so many processes does, by what as many copies of it did at the same time.

    Args:
        runs: of each copy.
        order: the numbers of the parameters, in the order of the gradients of the profile.
        processes: as one of how many it ran.
        engine: whether the engine was a part of it.
        warm_up: so many steps are not counted.
    """
    counted = [each for run in runs for each in run.steady(warm_up)]
    rows = [row for row, _, _ in counted]
    steps = [seconds for _, seconds, _ in counted]
    backward = _deltas(rows, order)
    loading, optimizer = _usual(row["loading"] for row in rows), _usual(r["stepped"] - r["optimizer"] for r in rows)
    forward = max(0.0, _usual(row["backward"] - row["loading"] for row in rows))
    known = loading + optimizer + forward + sum(backward)
    begun = [each for run in runs for each in run.begun()]
    saving = fmean(row["saving"] for row, _ in begun) if begun else 0.0
    passes = fmean(seconds for _, seconds in begun) - median(steps) - saving if begun else 0.0
    messages = _usual(row["messages"] for row in rows)
    return Share(
        batch=round(median(samples for _, _, samples in counted)),
        processes=processes,
        copies=len(runs),
        loading=loading,
        forward=forward,
        backward=backward,
        optimizer=optimizer,
        other=max(0.0, median(steps) - known),
        steps=tuple(steps),
        passes=max(0.0, passes),
        checkpoint=saving,
        messages=messages,
        message_bytes=_usual(row["message_bytes"] for row in rows) if messages else 0.0,
        engine=engine,
    )


def _deltas(rows: Sequence[dict[str, Any]], order: Sequence[str]) -> tuple[float, ...]:
    """Seconds from each gradient to the next, then to the end; one that is early for its place has 0."""
    ready = [_usual(row["ready"][number] - row["backward"] for row in rows) for number in order]
    moments = [0.0, *ready, _usual(row["end"] - row["backward"] for row in rows)]
    for place in range(1, len(moments)):
        moments[place] = max(moments[place], moments[place - 1])
    return tuple(later - earlier for earlier, later in pairwise(moments))


def _usual(values: Any) -> float:
    return float(median(values))
