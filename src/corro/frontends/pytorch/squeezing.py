"""Where ``squeeze()`` is told no dimension: of a batch with one sample it takes that of the samples, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.flow.facts import CallFact, Facts


def squeezes(facts: Facts, loaders: frozenset[int]) -> Iterator[CallFact]:
    """Calls of ``x.squeeze()`` and ``torch.squeeze(x)`` on batches, in passes over some loaders."""
    for fact in facts.calls:
        given = fact.args if fact.name == "torch.squeeze" else (fact.receiver, *fact.args)
        if fact.name not in ("squeeze", "torch.squeeze") or len(given) != 1 or fact.keywords or given[0] is None:
            continue
        batch = given[0].form is Form.SHARDED and given[0].kind is Kind.TENSOR and given[0].batch_dim in (0, None)
        if batch and any(loop.loaders & loaders for loop in fact.context.loops):
            yield fact
