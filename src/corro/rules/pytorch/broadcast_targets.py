r"""Stop where a loss would compare each prediction with all targets of the batch, by broadcasting.

Why
---
Predictions of shape ``[B, 1]`` and targets of shape ``[B]`` broadcast to ``[B, B]``: each prediction is compared with
the targets of all samples. PyTorch warns of that, and goes on. On several processes each has only its shard of the
targets, so that another loss would be trained. What the text of a script shows is refused (``loss``); where shapes come
from files it shows nothing, and the program stops at the first such loss, with PyTorch's own message.

Before
------
::

    loss = F.mse_loss(model(x), y)

After
-----
::

    warnings.filterwarnings("error", r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)")
    ...
    loss = F.mse_loss(model(x), y)

Source
------
PyTorch, ``torch/nn/functional.py``: the warning of ``mse_loss``, ``l1_loss``, ``smooth_l1_loss`` and ``huber_loss``.
Other losses raise an error themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.flow import depths
from corro.frontends.pytorch import losses
from corro.rules.pytorch._trainings import beginnings
from corro.source import walk
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact
    from corro.flow.values import Value
    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "broadcast-targets"

_WARNING = frozenset({"MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss"})
_FUNCTIONS = frozenset({"mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"})
_MESSAGE = r"Using a target size \S+\[(\d+)(, 1)?]\)\).+\[\1(, 1)?]\)\)"
"""Of the warning: two sizes of which one has a dimension of 1 more; equal ones are not warned of."""


def apply(job: Job) -> Iterable[Answer]:
    """One change in front of each training with such a loss."""
    if not any(_may_broadcast(job, fact, *given) for fact in job.calls if (given := _compared(fact)) is not None):
        return
    for anchor in beginnings(job, job.anatomy.steps):
        here = job.at(anchor)
        name, needed = here.target.library.name("warnings"), here.target.library.imports("warnings")
        code = Code(f'{name}.filterwarnings("error", r"{_MESSAGE}")', (needed,))
        reason = "a loss that broadcasts compares samples of the batch with each other"
        yield job.change(NAME, reason, anchor, here.before(anchor, code, order=-4), code)


def _compared(fact: CallFact) -> tuple[Value, Value] | None:
    """What a loss that broadcasts, with a warning, is given in a pass over batches."""
    receiver = fact.receiver
    of_layer = receiver is not None and receiver.kind is Kind.LOSS
    names = {each.name for each in losses.variants(receiver)} if of_layer and receiver is not None else set()
    if not fact.context.passes or not (names & _WARNING or fact.name.rpartition(".")[2] in _FUNCTIONS):
        return None
    prediction, target = fact.argument(0, "input"), fact.argument(1, "target")
    return None if prediction is None or target is None else (prediction, target)


def _may_broadcast(job: Job, fact: CallFact, prediction: Value, target: Value) -> bool:
    """Whether one may have a dimension of size 1 that the other lacks: nothing that is known speaks against it."""
    both = (prediction, target)
    labels = any(part in each.uses or part in each.makers for each in job.fills for part in walk(fact.node))
    if any((each.form is not Form.SHARDED or each.batch_dim != 0) and not labels for each in both):
        return False
    alike = bool(prediction.depth & target.depth) or all(map(depths.is_flat, both))
    is_wide = any(isinstance(size, int) and size > 1 for each in both for size in each.width)
    return not (alike or is_wide or any(depths.least(each) > 1 for each in both))
