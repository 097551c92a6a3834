"""The plan: all changes and findings of one script for one target. A value: printable, serialisable as JSON."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, Any

from corro.changes import Change, Finding, Level
from corro.classes import dataclass
from corro.source import Edit, SourceFile, Span
from corro.targets.base import USUAL, Exchange

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.anatomy.observations import Observation


class Outcome(Enum):
    """What becomes of a script."""

    CONVERTED = "converted"
    TO_VERIFY = "to be verified"
    """Right if the assumptions hold: see ``Plan.assumptions``."""
    REFUSED = "refused"
    ALREADY_DISTRIBUTED = "already distributed"
    NOTHING = "nothing to convert"


@dataclass(frozen=True)
class Plan:
    """What is to be done to a script, and what is to be said about it.

    ``frontend`` and ``target`` are empty where it was not asked which they are. The plan rests on what a run has shown:
    ``observed``. ``uneven``: shares of a batch may differ in size. ``exchange``: how gradients are exchanged.
    """

    script: str
    frontend: str
    target: str
    scaling: str
    outcome: Outcome
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()
    observed: tuple[Observation, ...] = ()
    uneven: bool = False
    exchange: Exchange = USUAL

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are changed, as changes and findings name them."""
        return tuple(dict.fromkeys(change.file for change in self.changes))

    def changes_in(self, file: str = "") -> tuple[Change, ...]:
        """The changes of one file; of the script itself where none is named."""
        return tuple(change for change in self.changes if change.file == file)

    def edits_in(self, file: str = "") -> tuple[Edit, ...]:
        """The edits of one file; of the script itself where none is named."""
        return tuple(edit for change in self.changes_in(file) for edit in change.edits)

    @property
    def refusals(self) -> tuple[Finding, ...]:
        """The findings that forbid a conversion."""
        return tuple(f for f in self.findings if f.level is Level.REFUSED)

    @property
    def assumptions(self) -> tuple[Finding, ...]:
        """What the text does not show, and has to hold for the program to be right."""
        return tuple(f for f in self.findings if f.level is Level.ASSUMES)

    def to_dict(self, source: SourceFile, modules: Iterable[SourceFile] = ()) -> dict[str, Any]:
        """The plan as plain values for JSON; places are ``{"line", "column"}`` counted from 1.

        In a notebook they are those within a cell, and ``"cell"`` is its number.

        Args:
            source: the script.
            modules: the project modules that are changed.
        """
        files = {"": source, **{str(module.path): module for module in modules}}
        return {
            "script": self.script,
            "frontend": self.frontend,
            "target": self.target,
            "scaling": self.scaling,
            "uneven": self.uneven,
            "compression": self.exchange.compression,
            "bucket_mb": self.exchange.bucket_mb,
            "outcome": self.outcome.value,
            "changes": [_change(change, files[change.file]) for change in self.changes],
            "findings": [_finding(finding, files.get(finding.file)) for finding in self.findings],
        }


def _change(change: Change, source: SourceFile) -> dict[str, Any]:
    return {
        "rule": change.rule,
        "reason": change.reason,
        "at": _place(change.span, source),
        **({"file": change.file} if change.file else {}),
        "edits": [dict(_edit(edit, source)) for edit in change.edits],
    }


def _finding(finding: Finding, source: SourceFile | None) -> dict[str, Any]:
    at = {"at": _place(finding.span, source)} if source is not None else {}
    file = {"file": finding.file} if finding.file else {}
    return {
        "rule": finding.rule,
        "level": finding.level.value,
        "message": finding.message,
        "advice": finding.advice,
        **({"differs": list(finding.differs)} if finding.differs else {}),
        **({"shown_by": finding.shown_by} if finding.shown_by else {}),
        **({"effort": finding.effort} if finding.level is Level.REFUSED else {}),
        **at,
        **file,
    }


def _place(span: Span, source: SourceFile) -> dict[str, int]:
    place = source.place(span.start)
    cell = {"cell": place.cell} if place.cell else {}
    return {**cell, "line": place.line, "column": place.column}


def _edit(edit: Edit, source: SourceFile) -> Iterator[tuple[str, Any]]:
    """The fields of an edit."""
    yield "kind", type(edit).__name__.lower()
    for name, value in vars(edit).items():
        yield name, _plain(value, source)


def _plain(value: object, source: SourceFile) -> object:
    """What JSON can hold; nodes become the place they start at."""
    if isinstance(value, ast.AST):
        return _place(source.span(value), source)
    if isinstance(value, Span):
        return {"start": value.start, "end": value.end}
    return [_plain(each, source) for each in value] if isinstance(value, tuple) else value
