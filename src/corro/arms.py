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

_TOO_LARGE = "too-large"
"""What is said of a script that is not followed to its end."""
_TRIES = 12
"""So often it is tried, at most, to leave out less."""


def without(
    plan: Plan,
    arms: Iterable[Observation],
    files: Iterable[SourceFile],
    planned: Callable[[tuple[Observation, ...]], tuple[Plan, Iterable[Observation]]],
) -> Plan:
    """The plan of a script that is refused, made without some arms; where that does not help, what else is refused.

    The arms are those in which something is refused and handlers of exceptions, whose trouble is what is called in
    them, or else all of them, and then no more than is needed.

    Args:
        plan: it is refused.
        arms: what may be left out.
        files: of the script.
        planned: gives the plan of the script without some arms, and what may be left out of what was read then.
    """
    spans = _spans(files, arms)
    left: tuple[Observation, ...] = ()
    found = told = plan
    for everywhere in (False, True):
        while found.outcome is Outcome.REFUSED:
            further = {arm: refused_in(found, arm, span) for arm, span in spans.items()}
            further = {arm: why for arm, why in further.items() if why or everywhere or arm.name == HANDLER}
            if not further:
                break
            more = tuple(replace(arm, why=why[0].message if why else "") for arm, why in further.items())
            tried, others = planned((*left, *more))
            needed = {arm for arm in further if refused_in(tried, arm, spans[arm])}  # what trains is in there
            spans = {arm: span for arm, span in spans.items() if arm not in (needed or further)}
            if needed:
                continue
            left, found = (*left, *more), tried
            told = found if not everywhere and not _is_unread(found) else told
            known = {(arm.file, arm.where) for arm in left}
            spans |= _spans(files, (arm for arm in others if (arm.file, arm.where) not in known))
    return told if found.outcome is Outcome.REFUSED else _least(found, left, lambda fewer: planned(fewer)[0])


def _is_unread(plan: Plan) -> bool:
    """Whether a script was not read to its end, so that nothing is known of the rest."""
    return any(each.rule == _TOO_LARGE for each in plan.refusals)


def _spans(files: Iterable[SourceFile], arms: Iterable[Observation]) -> dict[Observation, Span]:
    return {arm: span for arm in arms if (span := span_of(files, arm)) is not None}


def _least(plan: Plan, left: tuple[Observation, ...], planned: Callable[[tuple[Observation, ...]], Plan]) -> Plan:
    """The same with nothing left out that could have stayed: first all that hangs on the same options, then arms."""
    by_options: dict[tuple[str, ...] | Observation, list[Observation]] = {}
    for arm in left:
        by_options.setdefault(arm.options or arm, []).append(arm)
    tries = 0
    for parts in ([*by_options.values()], [[arm] for arm in left]):
        size = len(parts) // 2
        while size:
            for some in [parts[start : start + size] for start in range(0, len(parts), size)]:
                fewer = tuple(arm for arm in left if not any(arm in part for part in some))
                if not fewer or len(fewer) == len(left):
                    continue
                if tries == _TRIES:
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
