"""What one process did, as values on disk: ``record.json``, ``gradients.bin``, ``start.npz``, ``final.npz``."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float32]


@dataclass
class Pass:
    """One iteration over a DataLoader, from its first batch to its end.

    Attributes:
        loader: which loader, counted in the order they were made.
        data: which list of ``Record.data_sets`` says what the loader could have given.
        length: ``len(loader)``.
        batch_size: of the loader.
        drop_last: of the loader.
        shuffled: whether the loader's own sampler is a random one.
        batches: sample numbers of each batch, with subsets resolved to the data set below.
        steps: optimizer steps made while this pass was the one that had given the newest batch.
    """

    loader: int
    data: int
    length: int
    batch_size: int
    drop_last: bool
    shuffled: bool
    batches: list[list[int]] = field(default_factory=list)
    steps: int = 0

    @property
    def training(self) -> bool:
        return self.steps > 0


@dataclass
class Step:
    """One outermost optimizer step.

    Attributes:
        rates: learning rate of each parameter group, as used.
        planned: the rates the run had by itself; differs from ``rates`` where a replay imposed others.
        layout: number of elements of each parameter's gradient, 0 where it has none.
        gradient: digest of the reduced gradients.
        weights: digest of the parameters after the step.
        offset: where its gradients begin in ``gradients.bin``, in elements; -1 when they are not kept.
    """

    rates: list[float]
    planned: list[float]
    layout: list[int]
    gradient: int
    weights: int
    offset: int


@dataclass
class Saved:
    """One ``torch.save``: the entries are the flattened keys with types, shapes or numbers."""

    path: str
    kind: str
    entries: dict[str, str]


@dataclass
class Record:
    rank: int = 0
    size: int = 1
    passes: list[Pass] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    data_sets: list[list[int]] = field(default_factory=list)
    splits: list[list[list[int]]] = field(default_factory=list)
    saves: list[Saved] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    stdout: str = ""
    stderr: str = ""
    error: str = ""
    start_digest: int = 0
    folder: str = ""

    @cached_property
    def _gradients(self) -> Array:
        return np.fromfile(Path(self.folder, "gradients.bin"), dtype=np.float32)

    def gradients(self, step: int) -> list[Array] | None:
        """The reduced gradients of a step, one flat array for each parameter; None when they were not kept."""
        at = self.steps[step]
        if at.offset < 0:
            return None
        ends = np.cumsum([0, *at.layout]) + at.offset
        return [self._gradients[begin:end] for begin, end in itertools.pairwise(ends)]

    def start(self) -> list[Array]:
        return self._arrays("start.npz")

    def final(self) -> list[Array]:
        return self._arrays("final.npz")

    def _arrays(self, name: str) -> list[Array]:
        with np.load(Path(self.folder, name)) as arrays:
            return [arrays[key] for key in arrays.files]

    def write(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        Path(folder, "record.json").write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, folder: Path) -> Record:
        values: dict[str, Any] = json.loads(Path(folder, "record.json").read_text())
        values["passes"] = [Pass(**each) for each in values["passes"]]
        values["steps"] = [Step(**each) for each in values["steps"]]
        values["saves"] = [Saved(**each) for each in values["saves"]]
        return cls(**{**values, "folder": str(folder)})


def aligned(ranks: Sequence[Record]) -> list[list[Pass | None]]:
    """The passes of all processes side by side, in the order of rank 0; what is left over on another rank comes last.

    An evaluation of everything that only rank 0 prints may be left out by the others: they have None there.
    """
    first = ranks[0].passes
    rows: list[list[Pass | None]] = [[each] for each in first]
    for record in ranks[1:]:
        rest = list(record.passes)
        for row, own in zip(rows, first, strict=False):
            same = bool(rest) and (rest[0].loader, rest[0].training) == (own.loader, own.training)
            row.append(rest.pop(0) if same else None)
        rows += [[None, *[None] * (len(rows[0]) - 2), each] if rows else [None, each] for each in rest]
    return rows


def read_ranks(folder: Path, size: int) -> list[Record]:
    """The records of all processes of one run."""
    return [Record.read(folder / f"rank{rank}") for rank in range(size)]
