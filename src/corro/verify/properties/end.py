"""Every process ends, with the exit status of the sequential run; nothing hangs."""

from __future__ import annotations

from collections.abc import Iterator

from corro.verify.evidence import Evidence
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 9
TITLE = "every process finishes, with the same exit status"


def check(evidence: Evidence) -> Iterator[Observation]:
    """How the distributed run ended, and the sequential one."""
    for each in evidence.ending.stuck:
        yield Fault(f"rank {each.rank} waits for ever in {each.call}", evidence.line(each.line), None, each.rank)
    failed = sorted((each for each in evidence.ranks if each.error), key=lambda record: record.ended)
    if not evidence.ending.stuck:
        for record in failed:
            yield Fault(f"rank {record.rank} fails: {record.reason}", evidence.line(record.line), None, record.rank)
    own, wanted = evidence.ending.status, evidence.reference_ending.status
    reference = evidence.reference
    if reference is not None and reference.error and not failed:
        yield Unknown(f"the sequential run that follows fails: {reference.reason}")
    elif own != wanted and not evidence.ending.stuck:
        yield Fault("exit status", own=f"{own} {evidence.ending.output}".strip(), wanted=str(wanted))
    if evidence.reference_ending.stuck:
        yield Unknown("the sequential run did not end")
    if not evidence.ending.stuck:
        yield Seen(f"{evidence.size} processes ended, exit status {own}")
