"""The frontends: each folder here recognises one framework. There is no list to keep.

A frontend is a folder with two modules: ``presence`` answers before any analysis whether a script is distributed
already, and whether it trains with this framework; ``recognise`` says what the framework's calls mean and fills the
anatomy. The rules and targets of a frontend stand in folders of the same name.
"""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING, Protocol, cast

from corro.classes import dataclass, replace
from corro.found import packages
from corro.frontends.reach import reached

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from corro.changes import Finding
    from corro.flow.facts import Facts
    from corro.flow.semantics import Semantics
    from corro.source import Nodes, SourceFile


class Presence(Protocol):
    """The module ``presence`` of a frontend."""

    TITLE: str
    """The framework's own name."""
    SIGN: str
    """What a script that trains with it has, in words."""
    LIBRARIES: frozenset[str]
    """Packages around it that need not be installed where a script is compiled."""

    def distributed_by(self, source: SourceFile, nodes: Nodes) -> Finding | None:
        """What already distributes the training in these nodes of a file, as a note."""

    def engine(self, source: SourceFile, nodes: Nodes) -> str:
        """The engine of what is distributed already, by its module or class; empty where it starts processes itself."""

    def trains(self, files: Sequence[SourceFile]) -> bool:
        """Whether a script and its project modules train with this framework."""

    def default_target(self, files: Sequence[SourceFile]) -> str:
        """The target a script and its project modules are compiled to when none is asked for."""


class Recogniser(Protocol):
    """The module ``recognise`` of a frontend."""

    def semantics(self) -> Semantics:
        """What calls of the framework mean."""

    def again(self, semantics: Semantics, facts: Facts) -> Semantics | None:
        """What calls mean in the light of an interpretation with ``semantics``; ``None`` when it taught nothing."""

    def recognise(self, facts: Facts, *, apart: bool = True) -> object:
        """The anatomy of a script; ``apart``: a process may make more forward passes than another."""


@dataclass(frozen=True)
class Frontend:
    """One frontend; what it does not need for an answer is not loaded."""

    name: str

    @property
    def presence(self) -> Presence:
        """What it says before any analysis."""
        return cast("Presence", importlib.import_module(f"{__name__}.{self.name}.presence"))

    @property
    def recogniser(self) -> Recogniser:
        """What it says of the analysis."""
        return cast("Recogniser", importlib.import_module(f"{__name__}.{self.name}.recognise"))


@cache
def frontends() -> tuple[Frontend, ...]:
    """All frontends: the folders of this package."""
    return tuple(map(Frontend, packages(__path__)))


def distributed_by(files: Sequence[SourceFile]) -> Finding | None:
    """What already distributes a script, whatever its framework, as a note; the script is the first of its files."""
    found = next(_distributing(files), None)
    return None if found is None else found[1]


def engine(files: Sequence[SourceFile]) -> str:
    """The engine of a script that is distributed already, by its module or class; empty where there is none."""
    return next((name for name, _ in _distributing(files)), "")


def _distributing(files: Sequence[SourceFile]) -> Iterator[tuple[str, Finding]]:
    """What distributes the files, the script first, with the engine; most have no sign of it, whatever of them runs."""
    presences = [frontend.presence for frontend in frontends()]
    if not any(presence.distributed_by(file, file.nodes) for file in files for presence in presences):
        return
    for file, nodes in zip(files, reached(files), strict=True):
        for presence in presences:
            note = presence.distributed_by(file, nodes)
            if note is not None:
                elsewhere = "" if file is files[0] else str(file.path)
                yield presence.engine(file, nodes), replace(note, file=elsewhere)
