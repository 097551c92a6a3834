"""What rules ask of the targets for Keras and TensorFlow, when they refuse and when they name another target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.targets.base import Batches, Started

if TYPE_CHECKING:
    from corro.targets.base import Target


def shares_by_program(target: type[Target]) -> bool:
    """Whether the program gives each process its shard: data of any origin, and weak scaling."""
    return target.batches is Batches.SHARED_BY_PROGRAM


def shares_by_engine(target: type[Target]) -> bool:
    """Whether the engine trains on shards by itself, and leaves the optimizer and its gradients as they are."""
    return not shares_by_program(target)


def shares_samples(target: type[Target]) -> bool:
    """Whether any batch is shared out by samples: engines whose processes each run the script share out pipelines."""
    return shares_by_program(target) or target.started is Started.BY_PROGRAM
