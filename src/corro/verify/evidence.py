"""Everything a verdict rests on: the records of all runs, and how they ended. Values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from corro.verify.numbers import NUMBER, skeleton, without_digits
from corro.verify.records import Record, Row, aligned, repeated, uneven


@dataclass(frozen=True)
class Stuck:
    """A process that waited for ever: in which call, and where in the script."""

    rank: int
    call: str
    line: str


@dataclass(frozen=True)
class Ending:
    """How a run ended.

    Args:
        status: the exit status; that of the process that failed first.
        stuck: processes that waited when the run was given up; empty otherwise.
        output: the last lines of what it wrote.
    """

    status: int = 0
    stuck: tuple[Stuck, ...] = ()
    output: str = ""


@dataclass(frozen=True)
class Announced:
    """A difference that the compiler made on purpose and told the user of (a finding ``review``).

    Args:
        name: the property that does not hold for it.
        message: what was said.
        lines: the lines of the script, as ``FILE:LINE``, whose reports differ; empty when all may.
        in_files: whether what these lines report goes into files, of which it is not known who wrote which line.
    """

    name: str
    message: str
    lines: frozenset[str] = frozenset()
    in_files: bool = False


@dataclass(frozen=True)
class Evidence:
    """What was seen.

    Args:
        size: how many processes the distributed run was to have.
        ranks: their records; fewer than ``size`` when some left none.
        ending: of the distributed run.
        reference: the sequential run that followed it and took over its gradients.
        reference_ending: of that run, or of the script by itself where there was nothing to follow.
        alone: the distributed program on one process.
        alone_reference: the sequential run that followed it.
        again: the same once more, where the two differ: what differs by itself is no fault.
        once: a reference that was not given the samples that the processes repeat to fill up the last batch.
        spread: a reference that sums in another order: how far rounding alone goes.
        free: a reference that follows the order only; for SGD.
        free_spread: the same, summed in another order.
        weak: the batch of each process was kept.
        growth: by how much weak scaling is to raise learning rates; 1 for a summed loss, whose gradient grows.
        converted: whether the distributed program is Corro's.
        lines: for each line of the distributed program that of the user's script; itself where empty.
        equal_decisions: places of the program whose conditions must be equal on all processes, and their lines in the
            user's script.
        announced: what differs on purpose.
        devices: how many devices each process shares its batches out to.
    """

    size: int
    ranks: Sequence[Record]
    ending: Ending = Ending()
    reference: Record | None = None
    reference_ending: Ending = Ending()
    alone: Record | None = None
    alone_ending: Ending = Ending()
    alone_reference: Record | None = None
    again: Record | None = None
    once: Record | None = None
    spread: Record | None = None
    free: Record | None = None
    free_spread: Record | None = None
    weak: bool = False
    growth: float = 1.0
    converted: bool = True
    lines: Mapping[str, str] = field(default_factory=dict)
    equal_decisions: Mapping[str, str] = field(default_factory=dict)
    announced: tuple[Announced, ...] = ()
    devices: int = 1

    @property
    def complete(self) -> bool:
        """Whether all processes and the reference ended as they should."""
        return self.followed and not self.hung

    @property
    def followed(self) -> bool:
        """Whether the reference made the steps of all processes, which may have waited for ever after them."""
        records = [*self.ranks, *([self.reference] if self.reference else [])]
        return len(self.ranks) == self.size and self.reference is not None and not any(each.error for each in records)

    @property
    def hung(self) -> bool:
        """Whether processes waited for ever."""
        return bool(self.ending.stuck) or any(each.hung for each in self.ranks)

    @property
    def unseen(self) -> str:
        """What the program does that cannot be observed, and where; empty where there is nothing of the kind."""
        record = next((each for each in (*self.ranks, *([self.alone] if self.alone else [])) if each.unseen), None)
        return record.unseen if record is not None else ""

    @cached_property
    def rows(self) -> list[Row]:
        """The passes of all processes side by side."""
        return aligned(self.ranks)

    @cached_property
    def repeated(self) -> frozenset[tuple[int, int]]:
        """Of how many samples an epoch is, and how many are repeated in it to fill up the last batch."""
        found = ((row[0], repeated(self.ranks, row)) for row in self.rows)
        sizes = ((len(self.ranks[0].data_sets[first.data].population), more) for first, more in found if first and more)
        return frozenset(sizes)

    @cached_property
    def uneven(self) -> frozenset[int]:
        """The steps that processes made with weights of their own, until the engine gave all of them rank 0's."""
        return uneven(self.ranks)

    @cached_property
    def unsteady(self) -> frozenset[tuple[str, int]]:
        """Numbers that two equal runs print differently, as times: the skeleton of their line, and their place."""
        if self.alone_reference is None or self.again is None:
            return frozenset()
        found = set()
        for a, b in zip(_texts(self.alone_reference), _texts(self.again), strict=False):
            if skeleton(a) == skeleton(b):
                pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
                found |= {(skeleton(a), place) for place, (own, other) in enumerate(pairs) if own != other}
        return frozenset(found)

    @cached_property
    def unsteady_entries(self) -> frozenset[tuple[str, str]]:
        """Entries of saved objects, and scalars, that two equal runs fill differently, by path and key."""
        if self.alone_reference is None or self.again is None:
            return frozenset()
        first, second = ([*each.saves, *each.reports] for each in (self.alone_reference, self.again))
        return frozenset(
            (without_digits(a.path), key)
            for a, b in zip(first, second, strict=False)
            for key in a.entries.keys() & b.entries.keys()
            if a.path == b.path and a.entries[key] != b.entries[key]
        )

    def line(self, line: str) -> str:
        """The place in the user's script of a place in the distributed program."""
        return self.lines.get(line, line)


def _texts(record: Record) -> list[str]:
    files = [line for name in sorted(record.files) for line in record.files[name].splitlines()]
    return [each.text for each in (*record.stdout, *record.stderr)] + files
