"""Shared by the rules for weak scaling: the warm-up, and why some calls of fit have none."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.rules.keras._arguments import COMPILE, Given
from corro.source import arguments_of, parenthesised

if TYPE_CHECKING:
    from corro.anatomy.fits import FitSite
    from corro.rules.keras._job import Job

LONGEST = 5
"""Epochs of warm-up: Horovod's default."""
SHARE = 10
"""A warm-up is at most this part of a run."""


def warm_up(job: Job, site: FitSite) -> str | None:
    """The item that stands for the warm-up in a list of callbacks; ``None`` where there is none.

    Horovod's callback goes from the script's rate to N times it, over five epochs or a tenth of the run if that is
    less (Goyal et al., section 2.2). Its correction of the momentum needs a variable, which Keras 2.11 and later do
    not have.
    """
    if job.sharing is None or obstacle(job, site):
        return None
    epochs = _epochs(job, site)
    assert epochs is not None
    assert isinstance(site.node.func, ast.Attribute)
    model = parenthesised(job.file_of(site.node.func.value), site.node.func.value)
    length = str(min(LONGEST, int(epochs) // SHARE)) if epochs.isdigit() else f"min({LONGEST}, {epochs} // {SHARE})"
    item = job.sharing.warm_up(f"{model}.optimizer.learning_rate.numpy()", length)
    return item if epochs.isdigit() else f"*([{item}] if {epochs} >= {SHARE} else [])"


def obstacle(job: Job, site: FitSite) -> str:
    """Why a call of fit has no warm-up; empty when it has."""
    epochs = _epochs(job, site)
    if epochs is None or (epochs.isdigit() and int(epochs) < SHARE):
        return f"a run of fewer than {SHARE} epochs has none"
    if any(f.result.kind is Kind.CALLBACK and f.result.name == "LearningRateScheduler" for f in job.calls):
        return "a LearningRateScheduler sets the rate of every epoch"
    if _has_schedule(job):
        return "a schedule in the optimizer sets the rate of every step"
    if not _is_first(job, site):
        return "the model has been trained before"
    return ""


def _epochs(job: Job, site: FitSite) -> str | None:
    given = Given.of_fit(job, site)
    if given.is_open:
        return None
    value = given.value("epochs")
    if value is not None and isinstance(value.const, int):
        return str(value.const)
    return given.text("epochs") or "1"


def _has_schedule(job: Job) -> bool:
    for call in job.anatomy.compiles:
        optimizer = Given(job, call, COMPILE).value("optimizer")
        for number in optimizer.sites if optimizer is not None else ():
            node = job.facts.nodes[number]
            parts = arguments_of(node) if isinstance(node, ast.Call) else []
            if any(job.value(part).kind is Kind.SCHEDULER for part in parts):
                return True
    return False


def _is_first(job: Job, site: FitSite) -> bool:
    """Whether nothing has trained the model since it was compiled."""
    facts = job.calls_of(site.node)
    if len(facts) != 1 or facts[0].receiver is None:
        return False
    fact = facts[0]
    sites = fact.receiver.sites if fact.receiver is not None else frozenset()
    for other in job.anatomy.fits:
        for before in job.calls_of(other.node):
            same = before.receiver is not None and before.receiver.sites & sites
            if before is not fact and same and before.order < fact.order:
                return False
    compiled = [f for f in job.calls if f.node in job.anatomy.compiles and f.receiver and f.receiver.sites & sites]
    loops = {loop.node for loop in fact.context.loops}
    return not loops or any(loops <= {loop.node for loop in f.context.loops} for f in compiled)
