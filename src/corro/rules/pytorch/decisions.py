"""Make decisions rest on values that are equal on all processes.

Why
---
A branch that holds a training step, a collective or a checkpoint must be taken by all processes or by none, and so
must the way out of the training loop. A condition on a process's own loss or accuracy is not equal: some processes wait
in a collective that the others never reach. A sum or a mean is reduced in front of the condition; what every process
has measured on all data is equal already.

Before
------
::

    if loss.item() < 0.01:
        break

After
-----
::

    total = torch.tensor(loss.item(), dtype=torch.float64)
    dist.all_reduce(total)
    mean_loss = total.item() / dist.get_world_size()
    if mean_loss < 0.01:
        break

Source
------
horovod issue 4027 and 3140, Lightning issue 379 (processes left waiting after an early stop).
"""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.classes import replace
from corro.frontends.batch_sources import TAKING
from corro.frontends.effects import EffectKind
from corro.rules import parting, wholes
from corro.rules.reducing import differs, sharded_sources

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact, Test
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "decisions"

_ENDS = frozenset({"exit", "quit", "SystemExit"})
_STEPPING = frozenset({Kind.OPTIMIZER, Kind.SCHEDULER, Kind.SCALER})
_WHOLE_BATCHES = "Give the DataLoader drop_last=True, which leaves out a last batch that is too short."


def apply(job: Job) -> Iterable[Answer]:
    """Refuse what would let processes part ways."""
    exits = list(parting.exits(job, NAME, job.anatomy.training_loops, _WHOLE_BATCHES, partial(parting.may_differ, job)))
    if not exits:  # they decide upon what stands after them too
        yield from _governed_steps(job)
    yield from _governed_reductions(job)
    yield from wholes.reduced_tests(job, NAME)
    yield from exits
    if job.target.wraps_model and not exits:
        yield from _early_ends(job)


def _governed_steps(job: Job) -> Iterator[Answer]:
    """Backward passes, updates, schedulers and batches that are taken of a loader under conditions that differ."""
    saves = {e.node for e in job.all_effects if e.kind is EffectKind.SAVE}
    for fact in job.calls:
        test = parting.differing(job, fact.context) if must_be_uniform(fact) else _parting(job, fact)
        if fact.node in saves:
            test = next((t for t in fact.context.tests if differs(job, t.value)), None)
        if test is not None:
            yield parting.unequal(job, NAME, fact.node)
            return


def _parting(job: Job, fact: CallFact) -> Test | None:
    """What differs around a call that takes a batch to train on: who takes one more has other batches ever after.

    What is caught is no such condition: a loader ends on all processes alike.
    """
    taken = fact.result.sources.union(*(part.sources for part in fact.result.items))
    if fact.name not in TAKING or taken.isdisjoint(job.anatomy.trained_on):
        return None
    asked = tuple(test for test in fact.context.tests if isinstance(test.node, (ast.If, ast.While, ast.IfExp)))
    return parting.differing(job, replace(fact.context, tests=asked))


def _governed_reductions(job: Job) -> Iterator[Answer]:
    """Passes after which something is reduced, under conditions that differ."""
    reduced = {a.loop for a in job.facts.accumulations.values() if a.used and not a.continued}
    for loop in reduced:
        site = job.anatomy.pass_of(loop)
        if site is None or not site.loaders & sharded_sources(job):
            continue
        for running in job.facts.loops.get(loop, ()):
            if any(test.value.form is Form.LOCAL or differs(job, test.value) for test in running.tests):
                yield job.refuse(
                    NAME,
                    "whether this loop over a loader runs depends on a value that differs between processes.",
                    loop,
                    "Make the condition depend on values that are equal on all processes.",
                )
                break


def _early_ends(job: Job) -> Iterator[Answer]:
    """Where the program ends without an error, and the wrapped model lives on: gloo's threads may abort it then."""
    for leave in job.facts.exits:
        if parting.leaves(leave, job.anatomy.training_loops) and _ends_well(leave.node):
            yield job.refuse(
                NAME,
                "the program ends here without an error, but with a wrapped model that may make its processes abort.",
                leave.node,
                "Leave the loop with break or return, and let the script run to its end.",
            )


def _ends_well(node: ast.AST) -> bool:
    """Whether this ends the program, with a status that may be zero."""
    call = node.exc if isinstance(node, ast.Raise) else node
    name = _name(call.func if isinstance(call, ast.Call) else call)
    given = call.args[0] if isinstance(call, ast.Call) and call.args else ast.Constant(None)
    fails = isinstance(given, ast.Constant) and given.value not in (0, None)
    return name in _ENDS and not fails


def _name(node: ast.AST | None) -> str:
    return getattr(node, "attr", getattr(node, "id", ""))


def must_be_uniform(fact: CallFact) -> bool:
    """Whether a call changes what all processes have in common: weights, gradients, learning rates."""
    kind = fact.receiver.kind if fact.receiver is not None else None
    if fact.name == "load_state_dict" and kind in (Kind.MODULE, Kind.OPTIMIZER):
        return True
    scales = kind is Kind.SCALER and fact.name in ("unscale_", "update")
    return scales or fact.name == "backward" or (fact.name == "step" and kind in _STEPPING)
