"""With equal gradients, the optimizer step of the sequential run and of the processes is bit-equal; so are rates."""

from __future__ import annotations

from collections.abc import Iterator

from corro.verify.evidence import Evidence
from corro.verify.numbers import several
from corro.verify.properties._ended import of_steps_made
from corro.verify.properties._lines import first_unlike
from corro.verify.records import Record, Step
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 5
TITLE = "equal gradients give equal weights and learning rates"


@of_steps_made
def check(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """Weights after each step whose gradient the reference took over; learning rates of all steps."""
    own = evidence.ranks[0]
    if len(own.steps) != len(reference.steps) and not evidence.hung:
        line = reference.steps[-1].line if reference.steps else ""
        yield Fault("optimizer steps", line, None, 0, own=str(len(own.steps)), wanted=str(len(reference.steps)))
    yield from _rates(evidence, own.steps, reference.steps)
    compared = 0
    for number, (step, wanted) in enumerate(zip(own.steps, reference.steps, strict=False)):
        if step.optimizer != wanted.optimizer or len(step.weights) != len(wanted.weights):
            yield Fault("a different optimizer steps, or one with different parameters", wanted.line, number, 0)
            return
        if step.closure:
            yield Unknown(f"the training step evaluates the loss by itself [{wanted.line}]")
            return
        if wanted.difference is None or wanted.difference.relative == float("inf"):
            continue
        compared += 1
        tensor = first_unlike(step.weights, wanted.weights)
        if tensor is not None:
            values = (f"norm {each.weight_norms[tensor]:.9g}" for each in (step, wanted))
            yield Fault(
                "equal gradients lead to different weights",
                wanted.line,
                number,
                0,
                reference.tensor(wanted, tensor),
                *values,
            )
            return
    if compared:
        yield Seen(f"{several(compared, 'step')} bit-equal")


def _rates(evidence: Evidence, steps: list[Step], reference: list[Step]) -> Iterator[Fault]:
    """Strong scaling keeps the script's learning rates; weak scaling brings them to N times, by way of a warm-up."""
    growth = evidence.growth if evidence.weak else 1.0
    last = min(len(steps), len(reference)) - 1
    for number, (own, wanted) in enumerate(zip(steps, reference, strict=False)):
        pairs = list(zip(own.rates, wanted.planned, strict=False))
        ended = not evidence.ranks[0].stopped
        if growth == 1:
            right = own.rates == wanted.planned
        elif number == last and ended:
            right = all(abs(rate - growth * planned) <= 1e-6 * abs(rate) for rate, planned in pairs)
        else:
            right = all(planned * (1 - 1e-6) <= rate <= growth * planned * (1 + 1e-6) for rate, planned in pairs)
        if not right:
            wish = wanted.planned if growth == 1 else [growth * rate for rate in wanted.planned]
            yield Fault("learning rates", wanted.line, number, 0, "", str(own.rates), str(wish))
            return
