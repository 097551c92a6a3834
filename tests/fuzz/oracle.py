"""Judges a converted script by what it does: it has to do what the sequential one does, or to have said otherwise.

Knows nothing of how the compiler or ``corro verify`` work; of the plan it reads what was announced to the user.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from fuzz.compare import Difference, Tolerance, between_files, between_lines, between_weights, lines
from fuzz.runs import Ran

EXACT = Tolerance()
WEIGHTS = Tolerance(2e-4, 2e-5)
RANKS = Tolerance(1e-6, 1e-7)
LOOSE = Tolerance(0.4, 0.2, 0.6)
"""Where samples are repeated so that all processes have as many: what is doubled or lost is still seen."""


class Outcome(str, Enum):
    """What became of a script."""

    EQUAL = "converted, equal"
    ANNOUNCED = "converted, differs as announced"
    UNSTABLE = "converted, differs by rounding"
    REFUSED = "refused"
    NOTHING = "nothing to convert"
    DISCARDED = "fails by itself"
    SILENT = "silently wrong"
    CRASH = "crashes"
    HANG = "hangs"
    INTERNAL = "internal error"

    @property
    def bad(self) -> bool:
        """Whether it must not happen."""
        return self in (Outcome.SILENT, Outcome.CRASH, Outcome.HANG, Outcome.INTERNAL)


@dataclass(frozen=True)
class Announced:
    """What the plan says will differ: ``what`` are properties; in these lines (``FILE:LINE``) only, if any."""

    what: frozenset[str]
    lines: frozenset[str] = frozenset()
    in_files: bool = False


@dataclass(frozen=True)
class Verdict:
    """How a script fared, and why."""

    outcome: Outcome
    reason: str = ""


def judge(
    whole: Ran, ranks: Ran, announced: Iterable[Announced], divides: bool, jittered: Callable[[bool], Iterable[Ran]]
) -> Verdict:
    """Hold a distributed run against the sequential one.

    Args:
        whole: the sequential run.
        ranks: the distributed run.
        announced: what the plan says will differ.
        divides: whether all processes have as many samples, none of them twice.
        jittered: sequential runs with gradients moved by a rounding error, or by more if they are to be coarse.
    """
    if ranks.hung:
        return Verdict(Outcome.HANG, f"{len(ranks.outputs)} processes")
    if ranks.status:
        return Verdict(Outcome.CRASH, f"{len(ranks.outputs)} processes: {ranks.error}")
    said = tuple(announced)
    found = list(_differences(whole, ranks, divides))
    silent = [each for each in found if not _is_announced(each, said, whole)]
    if not silent:
        return Verdict(Outcome.ANNOUNCED if found else Outcome.EQUAL)
    shaken = {each.place for run in jittered(not divides) for each in _differences(whole, run, divides, 0.1)}
    firm = [each for each in silent if each.place not in shaken]
    if not firm:
        return Verdict(Outcome.UNSTABLE, str(silent[0]))
    return Verdict(Outcome.SILENT, f"{len(ranks.outputs)} processes: " + "; ".join(map(str, firm[:3])))


def _differences(whole: Ran, ranks: Ran, divides: bool, scale: float = 1.0) -> Iterator[Difference]:
    first, *others = ranks.reports
    for number, other in enumerate(others, 1):
        for each in between_weights(first.weights, other.weights, RANKS):
            yield Difference(f"rank {number}'s {each.place}", each.said, False)
    if divides:
        near = Tolerance(EXACT.relative * scale, EXACT.absolute * scale)
        yield from between_weights(
            whole.reports[0].weights, first.weights, Tolerance(WEIGHTS.relative * scale, WEIGHTS.absolute * scale)
        )
    else:
        near = replace(LOOSE, times=len(ranks.reports) if others else 0)
        yield from _more_than_all(whole, ranks)
    found = [*between_lines("line", lines(whole.outputs[0]), lines("".join(ranks.outputs)), near)]
    found += between_lines("log line", lines(whole.errors[0]), lines("".join(ranks.errors)), near)
    found += between_files(whole.room, ranks.room, near)
    yield from found if divides else _again_and_again([each for each in found if each.numbers], whole)


def _again_and_again(found: list[Difference], whole: Ran) -> Iterator[Difference]:
    """Without lines that a print writes otherwise now and then: a short batch that is filled up has other numbers."""
    origins = [frozenset(_origin(whole, number)) for number in range(len(lines(whole.outputs[0])))]
    places = {each.place: int(each.place.split()[1]) for each in found if each.place.startswith("line ")}
    often = Counter(origins[number] for number in places.values())
    seen = Counter(origins)
    for each in found:
        origin = origins[places[each.place]] if each.place in places else None
        if origin is None or 2 * often[origin] >= seen[origin]:
            yield each


_SHARE = re.compile(r"accuracy\D{1,4}(\d+\.\d+)(?![\de])")


def _more_than_all(whole: Ran, ranks: Ran) -> Iterator[Difference]:
    """Shares of more than one, where a number depends on samples that are repeated."""
    for a, b in zip(lines(whole.outputs[0]), lines(ranks.outputs[0]), strict=False):
        for x, y in zip(_SHARE.findall(a), _SHARE.findall(b), strict=False):
            limit = 1.0 if float(x) <= 1 else 100.0
            if float(x) <= limit < float(y) - 1e-6 and float(y) < 2 * limit:
                yield Difference("share", f"{a!r} became {b!r}", False)


def _is_announced(found: Difference, announced: Iterable[Announced], whole: Ran) -> bool:
    return any(_covers(each, found, whole) for each in announced)


def _covers(said: Announced, found: Difference, whole: Ran) -> bool:
    if found.place.startswith("rank"):
        return False
    if "gradient" in said.what:
        return found.numbers or found.place == "lines"
    if found.place in ("lines", "log lines"):
        return "effects" in said.what
    if found.place == "share":
        return "metrics" in said.what
    if "metrics" not in said.what or found.place.startswith("weights"):
        return False
    if said.lines and found.place.startswith("line"):  # a list or a dict may have other items, too
        return bool(said.lines & _origin(whole, int(found.place.split()[1])))
    return found.numbers and (said.in_files or not said.lines)


def _origin(whole: Ran, number: int) -> set[str]:
    """The lines of the script that a line of output came from."""
    origins = whole.reports[0].origins
    own = [o for line, o in zip(whole.outputs[0].splitlines(), origins, strict=False) if lines(line)]
    return own[number] if number < len(own) else set()
