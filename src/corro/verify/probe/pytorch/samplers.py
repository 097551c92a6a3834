"""What gives a loader its order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SKIPPED = "_probe_skipped"
"""An attribute of a sampler that leaves out the first batches of another: these."""


def samplers(loader: Any) -> Iterator[Any]:
    """What gives a loader its order: each in front of those that it asks itself."""
    waiting, seen = [loader], set()
    while waiting:
        each = waiting.pop(0)
        for name in ("batch_sampler", "sampler"):
            asked = getattr(each, name, None)
            if asked is not None and id(asked) not in seen:
                seen.add(id(asked))
                waiting.append(asked)
                yield asked


def skipped(loader: Any) -> int:
    """How many batches a loader leaves out at its beginning, to go on in the middle of an epoch."""
    return sum(getattr(each, "skip_batches", 0) for each in samplers(loader))


def left_out(loader: Any) -> list[list[int]]:
    """The batches that a loader whose iteration has begun has left out at its beginning."""
    return [list(batch) for each in samplers(loader) for batch in getattr(each, SKIPPED, ())]
