"""Tell where a model is evaluated with dropout on, and refuse what is decided by that.

Why
---
Without ``model.eval()``, dropout goes on in an evaluation, and each process draws other noise: what they measure
differs. Where that decides (a plateau scheduler, weights that are loaded again), the processes would part ways
without a word. Where it is only reported, the report is rank 0's.

Before
------
::

    for epoch in range(10):
        train(model, loader)
        with torch.no_grad():
            val_loss = criterion(model(x_val), y_val)
        scheduler.step(val_loss)

After
-----
::

    refused: the validation loss differs between processes

Source
------
PyTorch documentation, "Autograd mechanics", section "Evaluation Mode (nn.Module.eval())".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.sites import Role, Sharding
from corro.frontends.pytorch.modes import NOISE
from corro.frontends.pytorch.parts import in_training
from corro.rules.pytorch._drawn import drawn_alike
from corro.rules.pytorch.decisions import must_be_uniform
from corro.rules.reducing import is_uniform

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "evaluation-mode"

_ADVICE = "Call eval() on the model before it is evaluated, and train() before it is trained on."


def apply(job: Job) -> Iterable[Answer]:
    """One finding for each evaluation with noise."""
    noisy = [fact for fact in job.calls if NOISE in fact.result.tags and _is_evaluation(job, fact)]
    if any(_is_full(job, fact) for fact in noisy) and (decided := next(_decided(job), None)) is not None:
        yield job.refuse(
            NAME,
            "this depends on an evaluation with dropout on, which differs between processes.",
            decided.node,
            _ADVICE,
        )
    alike = "torch" in drawn_alike(job)
    places = dict.fromkeys(_place(job, fact) for fact in noisy if not (alike and _is_equal_everywhere(job, fact)))
    for node in places:
        yield job.review(
            NAME,
            "the model is evaluated in training mode, with dropout on: each process draws different noise.",
            node,
            _ADVICE,
        )


def _is_evaluation(job: Job, fact: CallFact) -> bool:
    """In the epoch loop, or a pass of its own, but not in the pass that trains, nor where nothing is run."""
    run = bool(fact.context.loops) and fact.context.is_reached
    return run and not any(in_training(step, fact.context) for step in job.anatomy.steps)


def _is_full(job: Job, fact: CallFact) -> bool:
    """Over a loader that every process evaluates in full, so that nothing is reduced."""
    loaders = [job.anatomy.loader(n) for loop in fact.context.passes for n in loop.loaders]
    return any(x and x.role is Role.EVALUATION and x.sharding is Sharding.EVERYWHERE for x in loaders)


def _is_equal_everywhere(job: Job, fact: CallFact) -> bool:
    """Whether all processes compute the same here, so that equal numbers make equal noise."""
    return not fact.context.passes and is_uniform(job, fact.context)


def _decided(job: Job) -> Iterator[CallFact]:
    """What has to happen on all processes alike, and rests on a metric."""
    for fact in job.calls:
        scheduled = fact.receiver is not None and fact.receiver.kind is Kind.SCHEDULER and fact.name == "step"
        given = (*fact.args, *fact.keywords.values()) if scheduled else ()
        tested = [test.value for test in fact.context.tests] if must_be_uniform(fact) else []
        if any(value.placement.data_dependent for value in (*given, *tested)):
            yield fact


def _place(job: Job, fact: CallFact) -> ast.AST:
    """The loop over the evaluation's batches, or the call of the model."""
    if fact.context.passes:
        return fact.context.passes[-1].node
    frames = [frame for frame in fact.context.frame.path() if frame.call is not None]
    calls = [frame.call for frame in frames if frame.call and job.value(frame.call.func).kind is Kind.MODULE]
    return calls[0] if calls else fact.node
