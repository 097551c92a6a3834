"""Progress bars on rank 0 only: one that the script itself switches off is shown nowhere."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.progress import PROGRESS_BARS, SILENT, writes_to_file
from corro.frontends.purity import impure_parts
from corro.source import Replace, add_keyword, parenthesised, replace_node
from corro.targets.base import Code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from corro.rules.base import Answer, Job
    from corro.source import Edit

_REASON = "one progress bar, on rank 0"
_SWITCH = "disable"
_FILE = "fd"
"""Where a bar of ``progressbar`` is shown."""
_PARTIAL = "functools.partialmethod"


def limited(job: Job, rule: str, node: ast.Call) -> Iterator[Answer]:
    """A bar that no other rank shows, unless nothing has to be done."""
    names = {fact.name for fact in job.calls_of(node)}
    if names <= SILENT:
        return
    if any(map(writes_to_file, names)):
        yield from _shown_nowhere(job, rule, node)
        return
    edits = _edits(job, node)
    if edits:
        yield job.change(rule, _REASON, node, edits, Code("", (job.ranked.engine,)))


def _shown_nowhere(job: Job, rule: str, node: ast.Call) -> Iterator[Answer]:
    """A bar that is shown in a file is shown in the null device elsewhere; one of the script's own is opened once."""
    if any(each.arg == _FILE for each in node.keywords):
        return
    here = job.at(node)
    library, files = here.target.library, ("sys", "os")
    value = f'{library.name("sys")}.stderr if {here.ranked.is_first} else open({library.name("os")}.devnull, "w")'
    edits = [*add_keyword(job.file_of(node), node, _FILE, value)]
    yield job.change(rule, _REASON, node, edits, Code("", (here.ranked.engine, *map(library.imports, files))))


def switches(job: Job, rule: str) -> Iterator[Answer]:
    """What the script gives all bars from then on: ``tqdm.__init__ = partialmethod(tqdm.__init__, disable=...)``."""
    for switch in _switches(job):
        here = job.at(switch)
        edits = _either(here, switch)
        if edits and _is_started(here, switch):
            yield job.change(rule, _REASON, switch.value, edits, Code("", (here.ranked.engine,)))


def _edits(job: Job, node: ast.Call) -> list[Edit]:
    file, other = job.file_of(node), job.ranked.is_other
    switch = next((each for each in node.keywords if each.arg == _SWITCH), None)
    if switch is not None:
        return _either(job, switch)
    if any(_switches(job)):  # it is given by another way, which an argument would undo
        return []
    mapped = next((each.value for each in node.keywords if each.arg is None), None)
    if isinstance(mapped, (ast.Name, ast.Attribute)):
        text = job.segment(mapped)
        given = f'{other} or {text}.get("{_SWITCH}", False)'
        return [Replace(job.span(mapped), f"dict({text}, {_SWITCH}={given})")]
    return [*add_keyword(file, node, _SWITCH, other)]


def _either(job: Job, switch: ast.keyword) -> list[Edit]:
    """A condition of the script or another rank; on rank 0 it is the very value, as ``None`` asks for a terminal."""
    value, file, other = switch.value, job.file_of(switch.value), job.ranked.is_other
    constant = value.value if isinstance(value, ast.Constant) else None
    if constant is True or impure_parts(job.facts, switch):
        return []
    return [*replace_node(file, value, other if constant is False else f"{other} or {parenthesised(file, value)}")]


def _switches(job: Job) -> Iterator[ast.keyword]:
    for fact in job.calls:
        first = fact.node.args[0] if fact.name == _PARTIAL and fact.node.args else None
        owner = first.value if isinstance(first, ast.Attribute) and first.attr == "__init__" else None
        if owner is not None and job.value(owner).name in PROGRESS_BARS:
            yield from (each for each in fact.node.keywords if each.arg == _SWITCH)


def _is_started(job: Job, node: ast.AST) -> bool:
    """Whether the processes have joined where a statement at the top stands."""
    body, statement = [*job.entry_body], job.statement(node)
    return statement in body and body.index(statement) >= body.index(job.first_statement)
