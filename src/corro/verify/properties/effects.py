"""Each file is written by one process, each line printed once, with the names that the sequential run uses."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose

from corro.verify.evidence import Evidence
from corro.verify.numbers import agree, differing, several, skeleton, without_digits
from corro.verify.properties._ended import of_ended_runs
from corro.verify.properties._lines import BAR, is_rate, logged, printed, unlike
from corro.verify.properties.gradient import partwise
from corro.verify.records import Record, Saved
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 8
_TENSORS = ("torch.", "tf.")
TITLE = "each line is printed and each file written once, as in the sequential run"


@of_ended_runs
def check(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """Output, files, directories and saved objects."""
    yield from _printed(evidence, reference)
    yield from _logged(evidence, reference)
    yield from _written(evidence, reference)
    yield from _saved(evidence, reference)
    yield Seen(f"{several(len(reference.stdout), 'line')}, {several(len(reference.writes), 'file')}")


def _printed(evidence: Evidence, reference: Record) -> Iterator[Fault]:
    for record in evidence.ranks[1:]:
        lines = [each for each in printed(record.stdout) if each.text.strip()]
        if lines:
            yield Fault(f"rank {record.rank} prints {lines[0].text!r}", evidence.line(lines[0].line), None, record.rank)
    yield from unlike(printed(evidence.ranks[0].stdout), printed(reference.stdout))


def _logged(evidence: Evidence, reference: Record) -> Iterator[Fault]:
    wanted = logged(reference.stderr)
    known = {skeleton(each.text) for each in wanted}
    for record in evidence.ranks[1:]:
        again = [each for each in logged(record.stderr) if skeleton(each.text) in known]
        if again:
            yield Fault(
                f"rank {record.rank} logs {again[0].text!r} as well", evidence.line(again[0].line), None, record.rank
            )
        if _has_bar(record):
            yield Fault(f"rank {record.rank} shows a progress bar", "", None, record.rank)
    own = evidence.ranks[0]
    yield from unlike([each for each in logged(own.stderr) if skeleton(each.text) in known], wanted)
    if _has_bar(reference) and not _has_bar(own):
        yield Fault("the progress bar is gone")


def _has_bar(record: Record) -> bool:
    return any(BAR.search(each.text) for each in record.stderr)


def _written(evidence: Evidence, reference: Record) -> Iterator[Fault]:
    makers = [{without_digits(path): path for path in record.writes} for record in evidence.ranks]
    wanted = {without_digits(path) for path in reference.writes}
    for name in sorted(set().union(*makers) | wanted):
        who = [record.rank for record, made in zip(evidence.ranks, makers, strict=True) if name in made]
        path = next((made[name] for made in makers if name in made), name)
        if name not in wanted:
            yield Fault(f"{path} is written by ranks {who} and not by the sequential run")
        elif len(who) != 1:
            yield Fault(f"{path} is written by {f'ranks {who}' if who else 'no process'}")


def _saved(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """What is saved has the same keys (no ``module.``), shapes, numbers, and tensors: weights are equal by now."""
    own, wanted = evidence.ranks[0].saves, reference.saves
    parted = [each for each in reference.steps if each.partwise]
    if wanted and parted:
        yield Unknown(f"what is saved is rank 0's: {partwise(parted[0])}")
        return
    once = evidence.once.saves if evidence.once else wanted
    for a, b, c in zip(own, wanted, once if len(once) == len(wanted) else wanted, strict=False):
        if (without_digits(a.path), a.kind) != (without_digits(b.path), b.kind):
            yield Fault(
                "another object is saved", b.line, None, 0, "", f"{a.kind} in {a.path}", f"{b.kind} in {b.path}"
            )
            return
        key = _unlike(evidence, a, b)
        if key is not None and _unlike(evidence, a, c) is not None:
            yield Fault(
                f"{a.path} is saved with another {key}",
                b.line,
                None,
                0,
                "",
                a.entries.get(key, "none"),
                b.entries.get(key, "none"),
            )
            return
    if len(own) != len(wanted):
        yield Fault("objects are saved", own=str(len(own)), wanted=str(len(wanted)))


def _unlike(evidence: Evidence, own: Saved, wanted: Saved) -> str | None:
    for key in sorted(own.entries.keys() | wanted.entries.keys()):
        a, b = own.entries.get(key), wanted.entries.get(key)
        if (without_digits(wanted.path), key) in evidence.unsteady_entries:
            continue
        if a == b or (evidence.weak and (key.endswith(".initial_lr") or (a and b and is_rate(evidence, a, b)))):
            continue  # a warm-up is a scheduler, and schedulers note the rate they began with
        if a is None or b is None or not alike(a, b):
            return key
    return None


def alike(own: str, wanted: str) -> bool:
    """Equal up to rounding: a tensor's kind, shape and norm, or a text's numbers."""
    a, b = own.split(" "), wanted.split(" ")
    if own.startswith(_TENSORS) and wanted.startswith(_TENSORS):
        return (a[0], a[1:-2]) == (b[0], b[1:-2]) and (a[-2] == b[-2] or _close(a[-1], b[-1]))
    return skeleton(own) == skeleton(wanted) and not any(differing(own, wanted))


def _close(own: str, wanted: str) -> bool:
    return agree(own, wanted) or isclose(float(own), float(wanted), rel_tol=1e-4)
