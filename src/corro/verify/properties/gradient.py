"""At each step the reduced gradient is the one that the sequential run has for the same samples."""

from __future__ import annotations

from collections.abc import Iterator

from corro.verify.evidence import Evidence
from corro.verify.numbers import several
from corro.verify.properties._ended import of_steps_made
from corro.verify.properties._made import Shared, of_step
from corro.verify.properties.coverage import paired
from corro.verify.properties.start import uneven
from corro.verify.records import Record, Step
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 4
TITLE = "at each step the reduced gradient is that of the global batch"

SINGLE = 2.0**-23
FLOOR = 1e-5
"""Relative to the norm of all gradients; correct programs in single precision stay below 4e-7."""

ROUNDINGS = 4
"""So many roundings of the coarsest type are allowed: each process rounds its own part, the sequential run the sum."""

MARGIN = 10
"""A rank sums in yet another order than the reversed reference: so many times its difference is allowed."""

BLIND = 0.02
"""A script whose own gradients differ by more when the same samples are summed in another order cannot be judged."""


def tolerance(evidence: Evidence) -> float:
    """What rounding may do to this script's gradients: measured by summing the reference's in another order.

    That does not show what types coarser than single precision do, whose sums are rounded once only.
    """
    measured = [
        each.difference.relative for each in (evidence.spread.steps if evidence.spread else []) if each.difference
    ]
    coarsest = max((record.epsilon for record in evidence.ranks), default=0.0)
    rounding = ROUNDINGS * coarsest if coarsest > SINGLE else 0.0
    return max([FLOOR, rounding, *(MARGIN * each for each in measured)])


def blind(limit: float) -> str:
    """Why gradients cannot be judged at a tolerance."""
    return f"the same samples summed in another order change this script's gradients by {limit / MARGIN:.1e}"


def unfollowed(evidence: Evidence, reference: Record) -> str:
    """Why the sequential run is not the program's even where that is right, as in both chance decides; or nothing."""
    limit = tolerance(evidence)
    noise = next((each.noise for record in (evidence.ranks[0], reference) for each in record.steps if each.noise), "")
    if noise:
        return f"the training step draws random numbers ({noise}) that belong to no sample"
    return blind(limit) if limit > MARGIN * BLIND else ""


def partwise(step: Step) -> str:
    """Why a step is not that of the sequential run: N processes together compute something else."""
    return f"each process computes {step.partwise} of its own shard of the batch [{step.line}]"


@of_steps_made
def check(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """The difference of gradients by the norm of all gradients, at each step, before the reference takes them over."""
    if not any(each.training for each in reference.passes):
        yield Unknown("no loader is iterated over: the sequential run cannot be given the same samples")
        return
    if any(paired(evidence)):
        yield Unknown("the processes iterate over different loaders than the sequential run")
        return
    limit = tolerance(evidence)
    if limit > MARGIN * BLIND:
        yield Unknown(blind(limit))
        return
    unfollowed = evidence.uneven - {*reference.followed}
    if unfollowed:
        yield Unknown(uneven(evidence))
    largest, compared = 0.0, 0
    for number, (own, wanted) in enumerate(zip(evidence.ranks[0].steps, reference.steps, strict=False)):
        drawn = own.noise or wanted.noise
        if drawn or own.closure:
            reason = (
                "evaluates the loss by itself"
                if own.closure
                else f"draws random numbers ({drawn}) that belong to no sample"
            )
            yield Unknown(f"the training step {reason} [{wanted.line}]")
            return
        if own.partwise or wanted.partwise:
            yield Unknown(partwise(wanted))
            return
        difference = wanted.difference
        made = of_step(evidence, number)
        if difference is None or number in unfollowed or made is Shared.FILLED:
            continue
        if made is Shared.UNSEEN and not difference.relative <= limit:
            yield Unknown(f"it is not visible whether the processes have the sequential run's batch [{wanted.line}]")
            return
        compared, largest = compared + 1, max(largest, difference.relative)
        if not difference.relative <= limit:
            text = f"the gradient differs by {difference.relative:.1e} of the norm of all gradients (limit {limit:.0e})"
            values = (f"norm {difference.other:.6g}", f"{difference.own:.6g}")
            yield Fault(text, wanted.line, number, 0, reference.tensor(wanted, difference.tensor), *values)
            return
    if compared:
        of = "" if compared == len(reference.steps) else f" of {len(reference.steps)}, as scratch space was used up"
        yield Seen(f"{several(compared, 'step')}{of}; largest difference {largest:.1e}, limit {limit:.0e}")
