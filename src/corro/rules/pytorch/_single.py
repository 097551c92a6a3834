"""Steps that a single sample makes go wrong: a short last batch may leave one for each process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.pytorch.normalising import normalising
from corro.frontends.pytorch.squeezing import squeezes
from corro.rules.pytorch._many_values import has_many_values

if TYPE_CHECKING:
    from corro.anatomy.sites import LoaderSite
    from corro.rules.pytorch._job import Job

_NORMALISING = frozenset({"torch.nn.BatchNorm1d", "torch.nn.LazyBatchNorm1d"})


def needs_two(job: Job, site: LoaderSite) -> str:
    """Why a training step on batches of a loader needs two samples; empty where it does not."""
    made = normalising(job.facts, job.anatomy.steps) if not job.sync_batchnorm else frozenset()
    numbers = {job.facts.number(fact.node) for fact in job.calls if fact.name in _NORMALISING}
    if any(not has_many_values(job, number) for number in numbers & made):
        return "BatchNorm1d needs two"
    if next(squeezes(job.facts, frozenset({site.number})), None) is not None:
        return "squeeze() would drop the dimension of the samples"
    return ""
