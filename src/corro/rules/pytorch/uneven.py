"""Weigh what processes compute from shares of unequal size, where --uneven allows them.

Why
---
A mean over the shards of a batch is the mean over the batch only where all shards are of equal size. Weighed by the
number of its samples, each shard's mean, and with it each gradient, counts as in the sequential program: the shards of
a batch that the number of processes does not divide, and those of a short last batch, are exact without samples that
are repeated. Sums and counts need no weight.

Before
------
::

    loss = criterion(model(x), y)
    loss.backward()

After
-----
::

    weight = share_weight(x)
    loss = criterion(model(x), y)
    (loss * weight).backward()

Source
------
S. Tyagi and P. Sharma, "Taming Resource Heterogeneity In Distributed ML Training With Dynamic Batching" (2020):
gradients are averaged with the workers' shares of the global batch as weights.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.rules.places import defined_before
from corro.rules.pytorch._weights import NAME as WEIGHT
from corro.rules.pytorch._weights import edit_of, is_uneven_mean, times_weight, weighed_text
from corro.rules.reducing import unequal_shares
from corro.rules.wrapping import wrapped_in_place
from corro.source import Wrap
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.rules.base import Answer
    from corro.rules.pytorch._job import Job

NAME = "uneven"
_FUNCTION = "share_weight"
_CLOSED = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def apply(job: Job) -> Iterator[Answer]:
    """Weigh each loss that is a mean, and each mean that is added up over the batches."""
    for site in job.anatomy.backwards if job.uneven else ():
        yield from _backward(job, site.node)
    for each in job.summands:
        weight = times_weight(job, each.mean, job.value(each.mean))
        if weight is None:
            yield unequal_shares(job, NAME, job.segment(each.mean), each.mean)
        else:
            yield job.change(
                NAME, "shares of a batch may be of unequal size", each.mean, _times(job, each.mean, weight)
            )


def conclude(job: Job, answers: Iterable[Answer]) -> Iterator[Answer]:
    """Compute the weights that are used: all rules have asked for theirs now."""
    del answers
    for here, statements in job.by_file([weighing.statement for weighing in job.weighings.values()]):
        name = here.names.fresh(_FUNCTION)
        code = _definition(here, name)
        reason = "shares of a batch may be of unequal size"
        defined = [defined_before(here, statements[0], code.text)]
        made = [edit_of(here, each, name) for each in job.weighings.values() if each.statement in statements]
        yield here.change(NAME, reason, statements[0], [*defined, *made], code)


def _backward(job: Job, call: ast.Call) -> Iterator[Answer]:
    loss = call.func.value if isinstance(call.func, ast.Attribute) else None
    if loss is None or not is_uneven_mean(job, job.value(loss)):
        return
    text = weighed_text(job, loss)
    if text is None:
        yield unequal_shares(job, NAME, job.segment(loss), loss)
    elif text != job.segment(loss):
        weight = job.names_of(loss).fresh(WEIGHT)
        edits = wrapped_in_place(job, loss, lambda inner: f"({_operand(loss, inner)} * {weight})")
        yield job.change(NAME, "shares of a batch may be of unequal size", loss, edits)


def _times(job: Job, node: ast.expr, weight: str) -> list[Wrap]:
    """A mean, weighed where it stands, as an operand of whatever is around it."""
    alone = isinstance(job.parent(node), (ast.AugAssign, ast.Assign, ast.Call))
    before, after = ("", "") if isinstance(node, _CLOSED) else ("(", ")")
    return [Wrap(job.span(node), before if alone else f"({before}", f"{after} * {weight}{'' if alone else ')'}")]


def _operand(node: ast.expr, text: str) -> str:
    return text if isinstance(node, _CLOSED) else f"({text})"


def _definition(job: Job, name: str) -> Code:
    """The function that gives the weight of a shard: its samples, times N, over those of the batch."""
    target = job.target
    total = target.all_reduce("total", f"{target.torch}.tensor([len(samples)], device=samples.device)")
    lines = [
        f"def {name}(samples):",
        *(f"    {line}" for line in total.text.splitlines()),
        f"    return len(samples) * {target.world_size} / total.item()",
    ]
    return Code("\n".join(lines), (*total.imports, target.engine, *target.torch_import))
