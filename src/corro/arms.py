"""Arms of conditions that a program is made without, so that what is in them does not forbid the rest."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

from corro.anatomy.observations import BODY, HANDLER, UNTAKEN, path_of, where
from corro.classes import replace
from corro.plan import Outcome
from corro.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from corro.anatomy.observations import Observation
    from corro.changes import Finding
    from corro.plan import Plan
    from corro.source import SourceFile

_TRIES = 12
"""So often it is tried, at most, to leave out less."""


def without(
    plan: Plan,
    arms: Iterable[Observation],
    files: Iterable[SourceFile],
    planned: Callable[[tuple[Observation, ...]], Plan],
) -> Plan:
    """The plan of a script that is refused, made without some arms; as it was where that does not help.

    The arms are those in which something is refused and handlers of exceptions, whose trouble is what is called in
    them, or else all of them, and then no more than is needed.

    Args:
        plan: it is refused.
        arms: what may be left out.
        files: of the script.
        planned: gives the plan of the script without some arms.
    """
    spans = {arm: span for arm in arms if (span := span_of(files, arm)) is not None}
    left: tuple[Observation, ...] = ()
    found = plan
    for everywhere in (False, True):
        while found.outcome is Outcome.REFUSED:
            further = {arm: refused_in(found, arm, span) for arm, span in spans.items()}
            further = {arm: why for arm, why in further.items() if why or everywhere or arm.name == HANDLER}
            if not further:
                break
            spans = {arm: span for arm, span in spans.items() if arm not in further}
            left += tuple(replace(arm, why=why[0].message if why else "") for arm, why in further.items())
            found = planned(left)
    return plan if found.outcome is Outcome.REFUSED else _least(found, left, planned)


def _least(plan: Plan, left: tuple[Observation, ...], planned: Callable[[tuple[Observation, ...]], Plan]) -> Plan:
    """The same with no arm left out that could have stayed."""
    size, tries = len(left) // 2, 0
    while size:
        for some in [left[start : start + size] for start in range(0, len(left), size)]:
            fewer = tuple(arm for arm in left if arm not in some)
            if not fewer or tries == _TRIES:
                break
            tries += 1
            tried = planned(fewer)
            if tried.outcome is plan.outcome:
                plan, left = tried, fewer
        size //= 2
    return plan


def refused_in(plan: Plan, arm: Observation, span: Span) -> list[Finding]:
    """What is refused within an arm of a condition."""
    found = (each for each in plan.refusals if path_of(Path(each.file or plan.script)) == arm.file)
    return [each for each in found if span.start <= each.span.start < span.end]


def span_of(files: Iterable[SourceFile], seen: Observation) -> Span | None:
    """Where an expression is in its file, or an arm of a condition; nothing where that arm is empty."""
    source = next((file for file in files if path_of(file.path) == seen.file), None)
    for node in source.nodes if source is not None else ():
        if seen.form == UNTAKEN and isinstance(node, ast.If) and where(node.test) == seen.where:
            body = node.body if seen.name == BODY else node.orelse
            return Span(source.span(body[0]).start, source.span(body[-1]).end) if body and source is not None else None
        if (
            seen.form == UNTAKEN
            and isinstance(node, ast.ExceptHandler)
            and node.type
            and where(node.type) == seen.where
        ):
            return Span(source.span(node.body[0]).start, source.span(node.body[-1]).end) if source is not None else None
        if seen.form != UNTAKEN and isinstance(node, ast.expr) and where(node) == seen.where:
            return source.span(node) if source is not None else None
    return None
