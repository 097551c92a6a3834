"""The order of samples that a sequential reference takes over from a recorded run. Records in, orders out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path

from corro.verify.records import Pass, Record, Row, Step, aligned, is_look, read_ranks, repeated, shares, uneven
from corro.verify.settings import Following


@dataclass(frozen=True)
class Order:
    """The batches of a pass, and how many samples of each come from which process."""

    batches: list[list[int]]
    parts: list[list[int]]


@dataclass(frozen=True)
class Replay:
    """A recorded run, to be followed."""

    ranks: Sequence[Record]
    following: Following

    @classmethod
    def of(cls, following: Following) -> Replay:
        """Read the records."""
        return cls(read_ranks(Path(following.folder)), following)

    @cached_property
    def _rows(self) -> list[Row]:
        return aligned(self.ranks)

    @property
    def size(self) -> int:
        """Processes of the recorded run."""
        return len(self.ranks)

    @cached_property
    def uneven(self) -> frozenset[int]:
        """Steps that processes made with weights of their own."""
        return uneven(self.ranks)

    def is_single(self, step: int) -> bool:
        """Whether a step is the only one that processes made with weights of their own, before they were made equal."""
        began = any(each.step == step for each in self.ranks[0].beginnings)
        return began and step in self.uneven and step + 1 not in self.uneven

    def trains(self, loader: int) -> bool:
        """Whether a loader, counted in the order they are made, was trained on."""
        return any(each.training and each.loader == loader for each in self.ranks[0].passes)

    def step(self, number: int) -> Step | None:
        """What rank 0 did in a step."""
        steps = self.ranks[0].steps
        return steps[number] if number < len(steps) else None

    def recorded(self, number: int) -> list[Pass]:
        """The shares of a pass; empty where the recorded run made none."""
        return list(shares(self._rows[number])) if number < len(self._rows) else []

    def order(self, number: int, natural: Pass) -> Order | None:
        """The batches of a pass; None where it keeps its natural order."""
        passes = self.recorded(number)
        if not passes or self._rows[number][0] is None:
            return None
        given = [each.batches for each in passes]
        if passes[0].training:
            once = self.following.once and repeated(self.ranks, self._rows[number]) > 0
            return self._global_batches(_once(given) if once else given)
        if self.size == 1 or is_look(passes):
            return Order(given[0], [[len(batch)] for batch in given[0]])
        given = _once(given) if all(each.evened for each in passes) else given
        return Order(self._shuffled_evaluation(given, natural.batch_size), []) if natural.shuffled else None

    def _global_batches(self, given: list[list[list[int]]]) -> Order:
        direction = -1 if self.following.reverse else 1
        steps = [[share or [] for share in step] for step in zip_longest(*given)]
        batches = [list(chain.from_iterable(share[::direction] for share in step)) for step in steps]
        return Order(batches, [[len(share) for share in step if share] for step in steps])

    @staticmethod
    def _shuffled_evaluation(given: list[list[list[int]]], batch_size: int) -> list[list[int]]:
        """Whole batches, dealt out to the processes, stay as they were; samples dealt out are batched anew."""
        if all(share == given[0] for share in given):
            return given[0]
        dealt = [batch for turn in zip_longest(*given) for batch in turn if batch]
        if all(len(batch) == batch_size for batch in dealt[:-1]):
            return dealt
        samples = list(chain.from_iterable(dealt))
        return [samples[at : at + batch_size] for at in range(0, len(samples), batch_size)]


def _once(given: list[list[list[int]]]) -> list[list[list[int]]]:
    """The batches of all processes, without samples that came before in the epoch."""
    seen: set[int] = set()
    left = [[list(batch) for batch in share] for share in given]
    for number in range(max(map(len, given))):
        for share in left:
            if number < len(share):
                share[number] = [sample for sample in share[number] if sample not in seen]
                seen.update(share[number])
    return left
