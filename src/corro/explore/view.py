"""What the explorer shows of a script: both texts, who wrote which line, findings, and what is known of expressions.

Everything is a plain value for JSON. Places are ``[line, column]``, lines counted from 1 and columns from 0 in units of
UTF-16, as editors in browsers count. Where a finding is, in words, is said as on the command line: in a notebook, with
the cell.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro import targets
from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form
from corro.annotate import MARK, annotate
from corro.classes import replace
from corro.compiler import Options, compile_source, values_of
from corro.errors import CorroError, SourceError, UsageError
from corro.patch import patch
from corro.source import SourceFile, read_source
from corro.source.notebook import NotebookFile

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.changes import Change, Finding
    from corro.compiler import Output
    from corro.flow.values import Value
    from corro.source import Span

_MOST = 2**20
"""Characters that are shown of what is no notebook, but is as large as one."""
_LINE = re.compile(r"\r\n|\r|\n")

_FORMS = {
    Form.REPLICATED: "replicated: equal on all processes",
    Form.STEP: "replicated in training: the number of a batch",
    Form.COUNT: "partial (sum): a number of samples, of which each process counts its shard's",
    Form.SUM: "partial (sum): the global value is the sum over the processes",
    Form.MEAN: "partial (mean): the global value is the mean over the processes",
    Form.SHARDED: "sharded: each process has another shard of the data",
    Form.LOCAL: "local: differs between processes without meaning",
    Form.UNKNOWN: "depends on this process's shard in a way that no collective mends",
}
_PLAIN = frozenset({Kind.FUNCTION, Kind.CLASS, Kind.LIBRARY, Kind.METHOD, Kind.NONE})
"""Kinds that say all there is to say where the value is equal on all processes."""


def is_notebook(path: str | Path) -> bool:
    """Whether a file is a notebook: its name says so, as on the command line."""
    return Path(path).suffix == ".ipynb"


def view(text: str, path: str, target: str = "", scaling: str = "strong") -> dict[str, Any]:
    """What is shown of a script or a notebook.

    The texts of a notebook are those of its cells, as of a script. ``notebook`` is the content of the program's file.

    Args:
        text: the script, or the content of the notebook's file.
        path: where it stands, or would: project modules are looked for around it.
        target: the engine; empty for the default of the script's framework.
        scaling: ``strong`` or ``weak``.
    """
    options = Options(target, scaling, assume=True)
    source = SourceFile.from_text(text, path)
    try:
        if is_notebook(path):
            source = NotebookFile.from_bytes(text.encode(), path)
        try:
            output = compile_source(source, options)
        except UsageError:  # the target is for another framework than that of this text
            output = compile_source(source, replace(options, target=""))
    except CorroError as error:
        return _failed(source, error)
    plan = output.plan
    name = f"{source.path.stem}_{plan.target}{source.path.suffix}"
    program = output.encode(name) if output.text is not None and is_notebook(path) else b""
    places = _Places(source.text)
    labels: dict[str, int] = {}
    values = [
        [*places.span(span), labels.setdefault(label, len(labels))]
        for span, value in values_of(source, plan)
        if (label := _label(value))
    ]
    return {
        "outcome": plan.outcome.value,
        "framework": plan.frontend,
        "target": plan.target,
        "targets": list(targets.names(plan.frontend)) if plan.frontend else [],
        "files": list(_files(output)),
        "findings": [_finding(each, source, places) for each in plan.findings],
        "labels": list(labels),
        "values": values,
        "patch": "".join(diff for diff, _ in patch(output)) if output.text is not None else "",
        "program": name if output.text is not None else "",
        "notebook": program.decode(),
    }


def _failed(source: SourceFile, error: CorroError) -> dict[str, Any]:
    """What is shown of a text that is no Python or no notebook, or of a fault of Corro."""
    text, at = source.text, [1, 0]
    if error.place is not None:
        at = [error.place.line, max(error.place.column - 1, 0)]
        if error.place.cell is not None:
            text, above = _cells(source, error.place.cell)
            at[0] += above
    finding = {
        "level": "refused", "rule": "", "message": error.message, "advice": error.advice, "file": "", "at": [*at, *at],
        "where": error.place.inside if error.place is not None else "1:1",
    }  # fmt: skip
    name = source.path.name
    return {
        "outcome": error.stage, "framework": "", "target": "", "targets": [], "findings": [finding], "labels": [],
        "values": [], "patch": "", "program": "", "notebook": "",
        "files": [{"name": name, "before": text[:_MOST], "after": None, "changes": [], "lines": {}}],
    }  # fmt: skip


def _cells(source: SourceFile, cell: int) -> tuple[str, int]:
    """The cells of a notebook as one text, be they Python or not, and how many of its lines are above those of one."""
    try:
        book = (
            source
            if isinstance(source, NotebookFile)
            else NotebookFile.from_bytes(source.text.encode(), source.path, check=False)
        )
    except SourceError:  # it has no such cells
        return source.text, 0
    start = next((start for start, number in book.marks if number == cell), 0)
    return book.text, book.lines.number(start)


def _files(output: Output) -> Iterator[dict[str, Any]]:
    """The script and the project modules that are changed, each with its changes and the lines that these wrote."""
    plan, folder = output.plan, output.source.path.parent
    yield _file(output.source, output.source.path.name, output.text, plan.changes_in())
    for module in output.modules:
        name = os.path.relpath(module.source.path, folder)
        yield _file(module.source, name, module.text, plan.changes_in(str(module.source.path)))


def _file(source: SourceFile, name: str, text: str | None, changes: tuple[Change, ...]) -> dict[str, Any]:
    places = _Places(source.text)
    told = [{"rule": each.rule, "reason": each.reason, "at": places.at(each.span.start)} for each in changes]
    lines = {} if text is None else _written(text, annotate(source, changes))
    return {"name": name, "before": source.text, "after": text, "changes": told, "lines": lines}


def _written(text: str, annotated: str) -> dict[int, list[str]]:
    """The lines that rules wrote, with the rules: those that the annotated text ends with their names."""
    lines = zip(_LINE.split(text), _LINE.split(annotated), strict=True)
    return {
        number: noted[len(plain) :].strip().removeprefix(MARK.strip()).strip().split(", ")
        for number, (plain, noted) in enumerate(lines, 1)
        if noted != plain
    }


def _finding(finding: Finding, source: SourceFile, places: _Places) -> dict[str, Any]:
    if finding.file:
        source = read_source(finding.file)
        places = _Places(source.text)
    at = places.span(finding.span)
    return {
        "level": finding.level.value, "rule": finding.rule, "message": finding.message, "advice": finding.advice,
        "file": Path(finding.file).name, "at": at, "where": source.place(finding.span).inside,
    }  # fmt: skip


def _label(value: Value) -> str:
    """What is known of a value, in words; empty where it is nothing that helps."""
    equal = value.placement.form is Form.REPLICATED
    if value.kind is Kind.UNKNOWN and equal:
        return ""
    if value.kind in _PLAIN and equal:
        return ""
    kind = "" if value.kind is Kind.UNKNOWN else value.kind.value
    return " · ".join(filter(None, [kind, _FORMS[value.placement.form]]))


class _Places:
    """From offsets in a text to lines and columns."""

    def __init__(self, text: str) -> None:
        ends = [match.end() for match in _LINE.finditer(text)]
        self._text, self._starts = text, [0, *ends]
        wide = [character > "\uffff" for character in text] if not text.isascii() else []
        self._wide = [0, *accumulate(wide)] if any(wide) else None

    def at(self, offset: int) -> list[int]:
        """The line, from 1, and the column, from 0."""
        line = bisect_right(self._starts, offset)
        start = self._starts[line - 1]
        more = self._wide[offset] - self._wide[start] if self._wide else 0
        return [line, offset - start + more]

    def span(self, span: Span) -> list[int]:
        """Where it starts, and where it ends."""
        return [*self.at(span.start), *self.at(span.end)]
