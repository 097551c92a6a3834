"""What one process of a run did, as a value: ``rankN/record.json``. Gradients and weights lie beside it, as files.

Tensors are known here by their names, checksums and norms only, so that the record of a large model stays small; what
the numbers of a gradient are is scratch space, written by rank 0 and read by the reference.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from math import inf, isnan, sqrt
from pathlib import Path
from typing import Any

RECORD = "record.json"
ASKED = "asked"
"""The file that asks a process that waits for ever for its record."""

ROOM = "room"
GRADIENTS = "gradients.bin"
START = "start.npz"
FINAL = "final.npz"


@dataclass
class DataSet:
    """What a loader could have given: how many samples, or their numbers where a subset hides some."""

    size: int
    numbers: list[int] | None = None

    @property
    def population(self) -> Sequence[int]:
        """The numbers of its samples in the data set below all subsets."""
        return range(self.size) if self.numbers is None else self.numbers


@dataclass
class Pass:
    """One iteration over a loader, from its first batch to its end.

    Attributes:
        loader: which loader, counted in the order they were made; loaders over one data set are one.
        data: which of ``Record.data_sets``; -1 for a stream, whose samples are known by their checksums.
        length: batches the loader announced, -1 where it announced none.
        batch_size: of the loader.
        drop_last: of the loader.
        shuffled: whether the loader's own sampler is a random one.
        line: where the script iterates.
        batches: the samples of each batch: numbers with subsets resolved, or checksums.
        steps: optimizer steps made while this pass was the one that had given the newest batch.
        ended: whether the loader was read to its end.
        chance: where a sampler of the script's own draws, the states of the random numbers that it began with.
        drawn: in a reference, the batches that the loader's own sampler gives, where that need not be all samples, once
            each; with rank 0's random numbers where they were noted.
        steady: whether that sampler gives the same samples each time.
        settled: whether rank 0's random numbers say what it gives.
        augmented: whether random numbers go into its samples, so that checksums change from epoch to epoch.
        endless: whether an epoch is a number of steps from a stream that goes on after them.
        fed: whether each batch has to be that of the sequential run, as where a session is fed. All runs that do not
            train are one such pass.
        made: whether the script makes the batches itself; samples are rows of what the model is given.
        computed: the numbers of those batches that a model may have computed: their rows may be rounded otherwise.
        evened: whether a library fills up the last batches of all processes to one size, with samples of the beginning.
        trimmed: whether it left these out of what it gathered.
    """

    loader: int
    data: int
    length: int
    batch_size: int
    drop_last: bool
    shuffled: bool
    line: str = ""
    batches: list[list[int]] = field(default_factory=list)
    steps: int = 0
    ended: bool = False
    chance: str = ""
    drawn: list[list[int]] | None = None
    steady: bool = True
    settled: bool = False
    augmented: bool = False
    endless: bool = False
    fed: bool = False
    made: bool = False
    computed: list[int] = field(default_factory=list)
    evened: bool = False
    trimmed: bool = False

    @property
    def training(self) -> bool:
        """Whether steps were made on it."""
        return self.steps > 0

    @property
    def stream(self) -> bool:
        """Whether its samples have no numbers."""
        return self.data < 0


@dataclass
class Difference:
    """How far the reference's own gradient is from the distributed run's.

    Attributes:
        relative: the largest difference of a tensor, by the norm of *all* gradients; infinite if they do not fit.
        tensor: the number of that tensor.
        own: its norm in the reference.
        other: its norm in the distributed run.
    """

    relative: float
    tensor: int
    own: float
    other: float

    @classmethod
    def between(cls, own: Sequence[Any], other: Sequence[Any], norm: Callable[[Any], float]) -> Difference:
        """How far flat gradients are apart, by the norm of *all* gradients, whatever arrays they are.

        One tensor's own norm is no measure: the gradient of a bias before batch normalisation is zero, and what is
        seen of it is rounding.
        """
        unlike = [at for at, each in enumerate(other) if at >= len(own) or len(each) != len(own[at])]
        if unlike or len(own) != len(other):
            at = unlike[0] if unlike else len(other)
            a, b = (norm(side[at]) if at < len(side) else 0.0 for side in (own, other))
            return cls(inf, at, a, b)
        whole = sqrt(sum(norm(each) ** 2 for each in other))
        distances = [norm(a - b) for a, b in zip(own, other, strict=True)]
        worst = max(range(len(own)), key=lambda at: inf if isnan(distances[at]) else distances[at])
        relative = distances[worst] / whole if whole else (inf if distances[worst] else 0.0)
        return cls(relative, worst, norm(own[worst]), norm(other[worst]))


@dataclass
class Step:
    """One outermost optimizer step.

    Attributes:
        optimizer: which one, counted in the order they were made.
        line: where the script makes it.
        rates: learning rate of each parameter group, as used.
        planned: the rates the run had by itself; differs from ``rates`` where a replay imposed others.
        gradients: a checksum for each tensor's reduced gradient, 0 where it has none.
        gradient_norms: their norms.
        weights: a checksum for each tensor after the step.
        weight_norms: their norms.
        offset: where its gradients begin in the scratch file, in elements; -1 when they are not kept.
        layout: the number of elements of each tensor's gradient, 0 where it has none.
        difference: in a reference, to what it was told to compare with.
        noise: where the script drew random numbers on the way that belong to no sample.
        closure: whether the step evaluates the loss itself, as L-BFGS does.
        partwise: what each process computes from its shard of the batch by itself, where a reference cannot repeat
            that.
        batch: which batch of a pass it is made on, where the script makes the batches itself; -1 elsewhere.
    """

    optimizer: int
    line: str
    rates: list[float]
    planned: list[float]
    gradients: list[int]
    gradient_norms: list[float]
    weights: list[int]
    weight_norms: list[float]
    offset: int = -1
    layout: list[int] = field(default_factory=list)
    difference: Difference | None = None
    noise: str = ""
    closure: bool = False
    partwise: str = ""
    batch: int = -1


@dataclass
class Saved:
    """One saved object: the flattened keys with types and shapes, numbers, or a tensor's checksum and norm."""

    path: str
    kind: str
    entries: dict[str, str]
    line: str = ""


@dataclass
class Printed:
    """A line of output, where the script wrote it, and when, in seconds of the monotonic clock."""

    text: str
    line: str = ""
    at: float = field(default=0.0, compare=False)


@dataclass
class Beginning:
    """Weights that begin to be trained, such as those of a model that is made between two trainings.

    Attributes:
        step: how many steps had been made before.
        weights: checksums of their first values, by name.
        shared: how many steps were made when the engine gave all processes rank 0's weights; -1 if it never did.
        shared_weights: checksums of these weights then, by name.
    """

    step: int
    weights: dict[str, int] = field(default_factory=dict)
    shared: int = -1
    shared_weights: dict[str, int] = field(default_factory=dict)


@dataclass
class Record:
    """Everything seen of one process.

    Attributes:
        error: how the program failed; empty where it came to its own end.
        line: where in the script it failed.
        status: the exit status that it asked for.
        ended: when it ended, in seconds; where several fail, the first is the cause.
        stopped: the run was ended on purpose after the steps or epochs that were asked for.
        hung: the process waits for ever; this is what it did until then.
        unseen: why the program cannot be observed; it was ended there.
        tensors: for each optimizer the names of its parameters.
        last_rates: the learning rates at the end, which another step would have used.
        start: checksums of all weights and buffers before the first training batch, by name.
        optimizer_start: checksums of each optimizer's state before its first step.
        noise: a checksum of the generators' states at the first training batch, by generator; first the one that
            dropout draws from.
        noisy: which noise the script makes: ``dropout``, ``augmentation``, ``numbers``.
        said: what was changed to make the runs comparable.
        decisions: what each condition of the script rested on, by its place in the program.
        judged: values handed to what decides on them, as to ``ReduceLROnPlateau``, by the place of the call.
        writes: files and directories that were made, once each.
        files: the text of small text files at the end.
        epsilon: the spacing of numbers near 1 in the coarsest type that gradients are computed with.
        reports: numbers handed to a writer of scalars: its tag, its step and the value.
        beginnings: weights that begin to be trained, in the order of their first steps; not of PyTorch.
        followed: in a reference, steps that it made for each process with its weights.
        averages: whether the engine averages the running statistics of batch normalisation over the processes.
        seeds: seeds that the engine gave all processes, by generator; each after how many of the script's own.
        drawn: the state of Python's own generator once seeds were drawn from it, which the script does not do.
        devices: how many devices of this process have copies of the weights that were compared at each step.
        unlike: tensors whose copies differed, and the first step after which they did.
    """

    rank: int = 0
    size: int = 1
    folder: str = ""
    error: str = ""
    line: str = ""
    status: int = 0
    ended: float = 0.0
    stopped: bool = False
    hung: bool = False
    unseen: str = ""
    passes: list[Pass] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    tensors: list[list[str]] = field(default_factory=list)
    last_rates: list[float] = field(default_factory=list)
    data_sets: list[DataSet] = field(default_factory=list)
    splits: list[list[list[int]]] = field(default_factory=list)
    start: dict[str, int] = field(default_factory=dict)
    optimizer_start: list[dict[str, int]] = field(default_factory=list)
    noise: dict[str, int] = field(default_factory=dict)
    noisy: list[str] = field(default_factory=list)
    epsilon: float = 0.0
    said: list[str] = field(default_factory=list)
    decisions: dict[str, list[str]] = field(default_factory=dict)
    judged: dict[str, list[str]] = field(default_factory=dict)
    saves: list[Saved] = field(default_factory=list)
    reports: list[Saved] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    stdout: list[Printed] = field(default_factory=list)
    stderr: list[Printed] = field(default_factory=list)
    beginnings: list[Beginning] = field(default_factory=list)
    followed: list[int] = field(default_factory=list)
    averages: bool = False
    seeds: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    drawn: list[Any] = field(default_factory=list)
    devices: int = 1
    unlike: dict[str, int] = field(default_factory=dict)

    @property
    def reason(self) -> str:
        """The first line of what the program failed with."""
        last = self.error.rpartition("Traceback (most recent call last):")[2]
        return next((line for line in last.splitlines() if line[:1].strip()), "")

    def tensor(self, step: Step, number: int) -> str:
        """The name of a tensor of a step's optimizer."""
        return self.tensors[step.optimizer][number]

    def write(self) -> None:
        """Write it into its folder, whole or not at all."""
        folder = Path(self.folder)
        folder.mkdir(parents=True, exist_ok=True)
        scratch = folder / f".{RECORD}"
        scratch.write_text(json.dumps(asdict(self), separators=(",", ":")))
        scratch.replace(folder / RECORD)

    @classmethod
    def read(cls, folder: Path) -> Record:
        """The record that a process left in its folder.

        Raises:
            FileNotFoundError: it left none.
        """
        values: dict[str, Any] = json.loads(_without_room((folder / RECORD).read_text(), folder.parent / ROOM))
        values["passes"] = [Pass(**each) for each in values["passes"]]
        values["steps"] = [_step(each) for each in values["steps"]]
        values["data_sets"] = [DataSet(**each) for each in values["data_sets"]]
        values["beginnings"] = [Beginning(**each) for each in values["beginnings"]]
        for name in ("saves", "reports"):
            values[name] = [Saved(**each) for each in values[name]]
        for name in ("stdout", "stderr"):
            values[name] = [Printed(**each) for each in values[name]]
        return cls(**{**values, "folder": str(folder)})


def _without_room(text: str, room: Path) -> str:
    """A record whose paths, which a script may print, are those outside of its room: each run has another one."""
    for name in (str(room), os.path.realpath(room)):
        text = text.replace(json.dumps(name)[1:-1] + os.sep, os.sep)
    return text


def _step(values: dict[str, Any]) -> Step:
    difference = values.pop("difference")
    return Step(**values, difference=Difference(**difference) if difference else None)


def read_ranks(folder: Path) -> list[Record]:
    """The records of all processes of a run that left one, by rank."""
    found = sorted((int(path.parent.name[4:]), path.parent) for path in folder.glob(f"rank*/{RECORD}"))
    return [Record.read(each) for _, each in found]


def uneven(ranks: Sequence[Record]) -> frozenset[int]:
    """The steps that processes made with weights of their own, until the engine gave all of them rank 0's."""
    found: set[int] = set()
    for first, *others in zip(*(each.beginnings for each in ranks), strict=False):
        shared = (first.step, first.shared, first.shared_weights)
        equal = all((each.step, each.shared, each.shared_weights) == shared for each in others)
        if equal and any(each.weights != first.weights for each in others):
            found.update(range(first.step, first.shared))
    return frozenset(found)


Row = list[Pass | None]


def aligned(ranks: Sequence[Record]) -> list[Row]:
    """The passes of all processes side by side, in the order of rank 0; what is left over on another rank comes last.

    An evaluation of everything that only rank 0 prints may be left out by the others: they have None there.
    """
    first = ranks[0].passes
    rows: list[Row] = [[each] for each in first]
    for record in ranks[1:]:
        rest = list(record.passes)
        for row, own in zip(rows, first, strict=False):
            same = bool(rest) and (rest[0].loader, rest[0].training) == (own.loader, own.training)
            row.append(rest.pop(0) if same else None)
        rows += [[*[None] * record.rank, each] for each in rest]
    return [row + [None] * (len(ranks) - len(row)) for row in rows]


def is_look(row: Sequence[Pass]) -> bool:
    """Whether a pass only looks at random batches: each process may see others, and rank 0 shows its own."""
    return bool(row) and all(each.shuffled and not each.training and not each.ended for each in row)


def repeated(ranks: Sequence[Record], row: Row) -> int:
    """How many samples a training pass repeats to fill up its last batch; 0 where its samples repeat otherwise."""
    first = row[0]
    if first is None or not first.training or first.stream:
        return 0
    given = [sample for each in shares(row) for batch in each.batches for sample in batch]
    repeats = len(given) - len(set(given))
    whole = set(given) == set(ranks[0].data_sets[first.data].population)
    return repeats if whole and (repeats < len(ranks) or evened(row)) else 0


def evened(row: Row) -> bool:
    """Whether a library has filled up the last batches of a pass, and nothing is repeated before them."""
    before = [sample for each in shares(row) for batch in each.batches[:-1] for sample in batch]
    return all(each.evened for each in shares(row)) and len(before) == len(set(before))


def shares(row: Row) -> Iterator[Pass]:
    """The passes of the processes that took part."""
    return (each for each in row if each is not None)
