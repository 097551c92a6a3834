"""What the probe in a process is told: a file of JSON that the environment variable ``CORRO_PROBE`` names."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

VARIABLE = "CORRO_PROBE"
OUTSIDE = "corro verify lets a script write below its own folder and the current one only, not to"
"""How the message begins with which a script is stopped."""


@dataclass(frozen=True)
class Following:
    """What a sequential reference repeats from a recorded run.

    Args:
        folder: where the recorded run left its records.
        force: take over rank 0's gradient at each step, after comparing with it.
        compare_with: the folder of the record whose gradients are compared; rank 0's where empty.
        weak: the batch of each process was kept: training loaders get N times the batch, and every step the
            recorded learning rates.
        reverse: give the samples of each process' share in reverse order: the same sums, differently rounded.
        once: leave out what was repeated to fill up the last batch of an epoch.
    """

    folder: str
    force: bool = True
    compare_with: str = ""
    weak: bool = False
    reverse: bool = False
    once: bool = False


@dataclass(frozen=True)
class Settings:
    """How a process is observed.

    Args:
        folder: ``rankN`` below it gets the record.
        hooks: the folder of ``probe`` with the framework's hooks.
        program: the file whose text is run.
        script: the user's script, for the places of messages.
        seed: of all random numbers at the start of rank 0; other ranks add theirs.
        steps: end the run after so many optimizer steps; 0 for no limit.
        epochs: end the run before another training pass begins; 0 for no limit.
        comparable: take out or pin noise, so that ranks and reference can be compared.
        kept: how many elements of gradients may be written to the scratch file.
        final: also write the weights at the end.
        following: for a reference.
        rooms: the folders that the program may write to, the working directory first.
        home: the folder below which the user's code lies; that of the script where empty.
        modules: files that are loaded in the place of project modules, with the names of these.
        asked: the expressions of each file of the user's code, by its name, of which it is told what they give; where
            there are any, also which arms of conditions are taken.
        sizes: also write how large what a step works with is.
    """

    folder: str
    hooks: str
    program: str
    script: str
    seed: int = 20_000
    steps: int = 0
    epochs: int = 0
    comparable: bool = False
    kept: int = 0
    final: bool = False
    following: Following | None = None
    rooms: tuple[str, ...] = ()
    home: str = ""
    modules: Mapping[str, str] = field(default_factory=dict)
    asked: Mapping[str, Sequence[Sequence[int]]] = field(default_factory=dict)
    sizes: bool = False

    @property
    def observes(self) -> bool:
        """Whether it is told what expressions give."""
        return bool(self.asked)

    def name_of(self, file: str) -> str:
        """How places name a file of the user's code, or what is loaded in its place; empty for all others."""
        if file == self.program:
            return Path(self.script).name
        home = (self.home or str(Path(self.script).absolute().parent)) + os.sep
        inside = file.startswith(home) and "site-packages" not in file
        return self.modules.get(file, file[len(home) :] if inside else "")

    def write(self, path: Path) -> None:
        """Write them as JSON."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(asdict(self)))

    @classmethod
    def read(cls, path: Path) -> Settings:
        """Read them from JSON."""
        values: dict[str, Any] = json.loads(path.read_text())
        following = values.pop("following")
        rooms = tuple(values.pop("rooms"))
        return cls(**values, following=Following(**following) if following else None, rooms=rooms)
