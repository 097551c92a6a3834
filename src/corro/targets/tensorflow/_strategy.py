"""What the strategies of ``tf.distribute`` are for training loops written by hand."""

from __future__ import annotations

from corro.classes import dataclass
from corro.targets.keras._strategy import StrategyTarget


@dataclass(frozen=True)
class LoopStrategy(StrategyTarget):
    """A strategy that runs the training step on every replica, each with its shard of the batch."""

    def distribute(self, pipeline: str) -> str:
        """An expression: the pipeline whose batches come in parts, one for each replica."""
        return f"{self.strategy}.experimental_distribute_dataset({pipeline})"

    def reduce(self, value: str, *, summed: bool) -> str:
        """An expression: the mean, or the sum, over the replicas of a number that a step has returned."""
        return f'{self.strategy}.reduce("{"SUM" if summed else "MEAN"}", {value}, axis=None)'

    def all_reduce(self, tensors: str, *, summed: bool) -> str:
        """An expression, within a step: the mean, or the sum, over the replicas of tensors."""
        op = "sum" if summed else "mean"
        return f'{self.tf}.distribute.get_replica_context().all_reduce("{op}", {tensors})'
