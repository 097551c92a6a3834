"""On one process the distributed program is the original, bit by bit; a program by hand may round otherwise.

The original took over the gradients of a program by hand, which may sum in another order.
"""

from __future__ import annotations

from collections.abc import Iterator

from corro.verify.evidence import Evidence
from corro.verify.numbers import NUMBER, agree, same, several, skeleton, times, without_digits
from corro.verify.properties._lines import first_unlike, logged, printed
from corro.verify.properties.effects import alike
from corro.verify.properties.gradient import BLIND, MARGIN, blind, tolerance
from corro.verify.records import Printed, Record, Saved
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 1
TITLE = "on one process it is the original"


def check(evidence: Evidence) -> Iterator[Observation]:
    """Weights, losses, output and files of both runs, which had the same order of samples."""
    own, wanted = evidence.alone, evidence.alone_reference
    if own is None or wanted is None:
        if evidence.alone_ending.status:
            yield _fails(evidence, f"the program fails on one process: {evidence.alone_ending.output}")
        else:
            yield Unknown("it was not run on one process")
        return
    for record in (own, wanted):
        if record.error:
            yield _fails(evidence, f"the run on one process ends with {record.reason}")
            return
    if own.status != wanted.status:
        yield Fault("exit status", own=str(own.status), wanted=str(wanted.status))
    yield from _passes(own, wanted)
    if own.epsilon > wanted.epsilon:
        yield Unknown("the program rounds gradients to send them, on one process too")
        return
    yield from _steps(evidence, own, wanted)
    yield from _output(evidence, own, wanted)
    yield from _files(evidence, own, wanted)
    yield Seen(
        f"{several(len(own.steps), 'step')}, {several(len(own.stdout), 'line')} of output, "
        f"{several(len(own.writes), 'file')}"
    )


def _fails(evidence: Evidence, text: str) -> Observation:
    """A program by hand may be written for so many processes."""
    return Fault(text) if evidence.converted else Unknown(text)


def _passes(own: Record, wanted: Record) -> Iterator[Fault]:
    for number, (a, b) in enumerate(zip(own.passes, wanted.passes, strict=False)):
        if (a.loader, a.batches) != (b.loader, b.batches):
            yield Fault(f"pass {number} over a loader gives other batches", b.line)
            return
    if len(own.passes) != len(wanted.passes):
        yield Fault("passes over loaders", own=str(len(own.passes)), wanted=str(len(wanted.passes)))


def _steps(evidence: Evidence, own: Record, wanted: Record) -> Iterator[Observation]:
    for name in wanted.start:
        if own.start.get(name) != wanted.start[name]:
            yield Fault("it starts from different weights", tensor=name)
            break
    for number, (a, b) in enumerate(zip(own.steps, wanted.steps, strict=False)):
        if not evidence.converted and b.difference is not None:
            limit, difference = tolerance(evidence), b.difference
            if limit > MARGIN * BLIND:
                yield Unknown(blind(limit))
                return
            if not difference.relative <= limit:
                values = (f"norm {each:.9g}" for each in (difference.other, difference.own))
                yield Fault("other gradients", b.line, number, None, wanted.tensor(b, difference.tensor), *values)
                return
        for what in ("gradients", "weights"):
            tensor = first_unlike(getattr(a, what), getattr(b, what))
            if tensor is not None:
                norms = "gradient_norms" if what == "gradients" else "weight_norms"
                values = (f"norm {getattr(each, norms)[tensor]:.9g}" for each in (a, b))
                yield Fault(f"other {what}", b.line, number, None, wanted.tensor(b, tensor), *values)
                return
        if a.rates != b.rates:
            yield Fault("other learning rates", b.line, number, own=str(a.rates), wanted=str(b.rates))
            return
    if len(own.steps) != len(wanted.steps):
        yield Fault("optimizer steps", own=str(len(own.steps)), wanted=str(len(wanted.steps)))


def _output(evidence: Evidence, own: Record, wanted: Record) -> Iterator[Fault]:
    known = {skeleton(each.text) for each in logged(wanted.stderr)}
    own_log = [each for each in logged(own.stderr) if skeleton(each.text) in known]
    for mine, other in ((printed(own.stdout), printed(wanted.stdout)), (own_log, logged(wanted.stderr))):
        for a, b in zip(mine, other, strict=False):
            if not _equal(evidence, a, b):
                yield Fault("another line is written", b.line, own=repr(a.text), wanted=repr(b.text))
                return
        if len(mine) != len(other):
            yield Fault("lines of output", own=str(len(mine)), wanted=str(len(other)))
            return


def _equal(evidence: Evidence, own: Printed, wanted: Printed) -> bool:
    return own.text == wanted.text or _same_but_unsteady(evidence, own.text, wanted.text)


def _near(evidence: Evidence, own: str, wanted: str) -> bool:
    """Whether numbers are the same, or of a program by hand agree as those of several processes do."""
    return same(own, wanted) or (not evidence.converted and agree(own, wanted))


def _same_but_unsteady(evidence: Evidence, own: str, wanted: str) -> bool:
    shape = skeleton(wanted)
    if skeleton(own) != shape:
        return False
    pairs = zip(NUMBER.findall(own), NUMBER.findall(wanted), strict=True)
    unsteady = {place for known, place in evidence.unsteady if known == shape} | times(wanted)
    return all(_near(evidence, a, b) or place in unsteady for place, (a, b) in enumerate(pairs))


def _files(evidence: Evidence, own: Record, wanted: Record) -> Iterator[Fault]:
    made, wished = ({without_digits(path) for path in each.writes} for each in (own, wanted))
    for path in sorted(made ^ wished):
        word = "not by the original" if path in made else "by the original only"
        yield Fault(f"{path} is written {word}")
    for name in own.files.keys() & wanted.files.keys():
        lines, others = own.files[name].splitlines(), wanted.files[name].splitlines()
        same = len(lines) == len(others) and all(
            a == b or _same_but_unsteady(evidence, a, b) for a, b in zip(lines, others, strict=True)
        )
        if not same:
            yield Fault(f"{name} has other contents")
    for a, b in zip(own.saves, wanted.saves, strict=False):
        entries, right = (_entries(evidence, each) for each in (a, b))
        unlike = [key for key in (*right, *entries) if not _entry(evidence, entries.get(key), right.get(key))]
        if unlike or (without_digits(a.path), a.kind) != (without_digits(b.path), b.kind):
            key = next(iter(unlike), "")
            values = (entries.get(key, "none"), right.get(key, "none"))
            yield Fault(f"{b.path} is saved with another {key or a.kind}", b.line, None, None, "", *values)
            return
    if len(own.saves) != len(wanted.saves):
        yield Fault("saved objects", own=str(len(own.saves)), wanted=str(len(wanted.saves)))


def _entry(evidence: Evidence, own: str | None, wanted: str | None) -> bool:
    by_hand = not evidence.converted and own is not None and wanted is not None
    return own == wanted or (by_hand and alike(own or "", wanted or ""))


def _entries(evidence: Evidence, saved: Saved) -> dict[str, str]:
    """What was saved, without times.

    A warm-up is a scheduler, and schedulers note the rate they began with: no part of the script.
    """
    return {
        key: value
        for key, value in saved.entries.items()
        if not (evidence.weak and key.endswith(".initial_lr"))
        and (without_digits(saved.path), key) not in evidence.unsteady_entries
    }
