"""What training and evaluation report equals what the sequential run reports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from corro.verify.evidence import Evidence
from corro.verify.numbers import agree, several, skeleton, without_digits
from corro.verify.properties._ended import of_ended_runs
from corro.verify.properties._lines import agrees, counted, logged, other_numbers, printed
from corro.verify.properties._made import filled
from corro.verify.properties.gradient import partwise, unfollowed
from corro.verify.properties.start import uneven
from corro.verify.records import Printed, Record
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 7
TWICE = "samples that fill up the last batch may be counted twice in what is reported"
NOTHING = "the script reports no numbers"
TITLE = "reported numbers are those of the sequential run"


@of_ended_runs
def check(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """Numbers in printed and logged lines, in text files, and handed to writers of scalars."""
    own = evidence.ranks[0]
    if evidence.uneven - {*reference.followed}:
        yield Unknown(uneven(evidence))
        return
    parted = [each for each in reference.steps if each.partwise]
    if parted:
        yield Unknown(partwise(parted[0]))
        return
    log, wanted = _logs(evidence, reference)
    faults = _faults(evidence, reference)
    reason = unfollowed(evidence, reference)
    if not reason and faults and any(filled(evidence)):
        reason = "batches are filled up with samples of their own, which the sequential run's are not"
    yield from (Unknown(reason) for _ in faults[:1]) if reason else faults
    if not faults and any(more >= evidence.size for _, more in evidence.repeated):
        yield from _twice(evidence)
    lines = [*printed(reference.stdout), *(wanted if log else ())]
    reported = [each for each in lines if "#" in skeleton(each.text)]
    if reported or reference.files or reference.reports:
        texts = [several(len(reported), "line")] + [f"{name}" for name in reference.files]
        texts += [f"{len(reference.reports)} scalars"] if reference.reports else []
        yield Seen(", ".join(texts))
    else:
        yield Unknown("nothing was reported within the steps that were run" if own.stopped else NOTHING)


def _faults(evidence: Evidence, reference: Record) -> list[Fault]:
    own, once = evidence.ranks[0], evidence.once or reference
    return [
        *other_numbers(evidence, printed(own.stdout), printed(reference.stdout), printed(once.stdout)),
        *other_numbers(evidence, *_logs(evidence, reference), logged(once.stderr)),
        *_files(evidence),
        *_reports(evidence),
    ]


def _twice(evidence: Evidence) -> Iterator[Unknown]:
    """Whether a number is another one without the samples that fill up the last batch, more than one a process."""
    if evidence.once is None:
        yield Unknown(TWICE)
        return
    unlike = _faults(replace(evidence, reference=evidence.once, once=None), evidence.once)
    yield from (Unknown(f"{TWICE} [{each.line}]") for each in unlike[:1])


def _logs(evidence: Evidence, reference: Record) -> tuple[list[Printed], list[Printed]]:
    """Of what rank 0 logs, the lines that the sequential run logs too, and that run's."""
    wanted = logged(reference.stderr)
    known = {skeleton(each.text) for each in wanted}
    return [each for each in logged(evidence.ranks[0].stderr) if skeleton(each.text) in known], wanted


def _files(evidence: Evidence) -> Iterator[Fault]:
    reference = evidence.reference
    assert reference is not None
    made = {name: text for record in reversed(evidence.ranks) for name, text in record.files.items()}
    for name, text in sorted(reference.files.items()):
        if name in made:
            texts = made[name], text, (evidence.once or reference).files.get(name, "")
            own, wanted, once = ([Printed(line, name) for line in each.splitlines()] for each in texts)
            if [skeleton(each.text) for each in own] != [skeleton(each.text) for each in wanted]:
                yield Fault(f"{name} has other contents", own=several(len(own), "line"), wanted=f"{len(wanted)}")
            yield from other_numbers(evidence, own, wanted, once)


def _reports(evidence: Evidence) -> Iterator[Fault]:
    reference = evidence.reference
    assert reference is not None
    own, wanted = evidence.ranks[0].reports, reference.reports
    once = (evidence.once or reference).reports
    for a, b, c in zip(own, wanted, once if len(once) == len(wanted) else wanted, strict=False):
        if (without_digits(b.path), "value") in evidence.unsteady_entries:
            continue
        number, filled, right = (each.entries["value"] for each in (a, b, c))
        twice = agree(number, filled) and counted(evidence, filled, right)
        if (a.path, a.kind) != (b.path, b.kind) or twice or not agrees(evidence, number, filled, right):
            values = (f"{each.path} {each.entries['value']}" for each in (a, c))
            yield Fault("another scalar is reported", b.line, None, 0, "", *values)
            return
    if len(own) != len(wanted):
        yield Fault("scalars are reported", own=str(len(own)), wanted=str(len(wanted)))
