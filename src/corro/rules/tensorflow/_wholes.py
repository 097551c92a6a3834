"""Shared by rules that reduce: how values become the whole under Horovod."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.rules.reducing import Part
    from corro.rules.tensorflow._job import Job
    from corro.targets.tensorflow._base import TapeTarget


def reduction(job: Job, parts: Sequence[Part]) -> Code:
    """Statements that assign the whole of every part: tensors stay tensors, numbers are reduced with 64 bits."""
    target = job.sharing
    assert target is not None
    return Code("\n".join(_line(target, part) for part in parts), (target.engine, target.tf_import))


def _line(target: TapeTarget, part: Part) -> str:
    reduce, tf = target.all_reduce, target.tf
    if part.value.kind is Kind.TENSOR and not part.is_list:
        return f"{part.name} = {reduce(part.expression, summed=not part.mean)}"
    inner = part.expression.removesuffix(".numpy()")
    if inner != part.expression and not part.is_list and not part.value.integer:
        return f"{part.name} = {reduce(inner, summed=not part.mean)}.numpy()"
    whole = reduce(f"{tf}.constant({part.expression}, {tf}.float64)", summed=not part.mean)
    if part.is_list:
        return f"{part.name} = {whole}.numpy().tolist()"
    return f"{part.name} = int({whole})" if part.value.integer and not part.mean else f"{part.name} = float({whole})"
