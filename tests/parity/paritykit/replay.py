"""What a sequential reference run is made to repeat from a recorded distributed run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from .records import Array, Pass, Record, aligned, read_ranks


@dataclass
class Replay:
    """The distributed run to follow, and how closely.

    Args:
        ranks: the records of the distributed run.
        force: after computing (and recording) its own gradient, the reference adopts the distributed run's, so that
            every step starts from weights that are bit-equal and rounding cannot grow.
        weak: the distributed run kept the batch size of each process: training loaders get N times the batch, and
            every step uses the recorded learning rates.
        adopt_start: begin with the distributed run's initial weights; for scripts without a seed.
        reverse: give the samples of each process' share in reverse order: the same sums, differently rounded.
    """

    ranks: Sequence[Record]
    force: bool = False
    weak: bool = False
    adopt_start: bool = False
    reverse: bool = False

    @classmethod
    def from_json(cls, values: dict[str, Any]) -> Replay:
        ranks = read_ranks(Path(values.pop("folder")), values.pop("size"))
        return cls(ranks, **values)

    def training_loader(self, loader: int) -> bool:
        return any(each.training and each.loader == loader for each in self.ranks[0].passes)

    def split(self, number: int) -> list[list[int]] | None:
        splits = self.ranks[0].splits
        return splits[number] if number < len(splits) else None

    def start(self) -> list[Array] | None:
        return self.ranks[0].start() if self.adopt_start and self.ranks[0].steps else None

    def rates(self, step: int) -> list[float] | None:
        steps = self.ranks[0].steps
        return steps[step].rates if self.weak and step < len(steps) else None

    def gradients(self, step: int) -> list[Array] | None:
        record = self.ranks[0]
        return record.gradients(step) if self.force and step < len(record.steps) else None

    def order(self, number: int, natural: Pass) -> tuple[list[list[int]], list[list[int]]] | None:
        """Batches of a pass, and how each is made up of the processes' shares; None keeps the natural order."""
        rows = aligned(self.ranks)
        if number >= len(rows) or rows[number][0] is None:
            return None
        shares = [each.batches for each in rows[number] if each is not None]
        if self.ranks[0].passes[number].training:
            return self._global_batches(shares)
        if len(self.ranks) == 1:
            return shares[0], [[len(batch)] for batch in shares[0]]
        if not natural.shuffled:
            return None
        return self._shuffled_evaluation(shares, natural.batch_size), []

    def _global_batches(self, shares: list[list[list[int]]]) -> tuple[list[list[int]], list[list[int]]]:
        direction = -1 if self.reverse else 1
        steps = [[share or [] for share in step] for step in zip_longest(*shares)]
        batches = [list(chain.from_iterable(share[::direction] for share in step)) for step in steps]
        return batches, [[len(share) for share in step if share] for step in steps]

    @staticmethod
    def _shuffled_evaluation(shares: list[list[list[int]]], batch_size: int) -> list[list[int]]:
        """Whole batches, dealt out to the processes, stay as they were; samples dealt out are batched anew."""
        if all(share == shares[0] for share in shares):
            return shares[0]
        dealt = [batch for turn in zip_longest(*shares) for batch in turn if batch]
        if all(len(batch) == batch_size for batch in dealt[:-1]):
            return dealt
        samples = list(chain.from_iterable(dealt))
        return [samples[at : at + batch_size] for at in range(0, len(samples), batch_size)]
