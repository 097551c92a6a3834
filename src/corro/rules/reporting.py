"""Calls of project modules that only report: a progress bar that prints is one report, where the script calls it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.frontends.effects import Effect, EffectKind
from corro.frontends.purity import only_reports

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.rules.base import Job


def in_script(job: Job, effects: Iterable[Effect]) -> Iterator[Effect]:
    """Effects, with those of a function that only reports told as one, of the statement that calls it."""
    reporting: dict[CallFact, bool] = {}
    for effect in effects:
        fact = None if job.file_of(effect.node) is job.script else _called_by_script(job, effect)
        if fact is None:
            yield effect
            continue
        if fact not in reporting:
            reporting[fact] = only_reports(job.facts, fact)
            if reporting[fact]:
                yield Effect(EffectKind.PRINT, fact)
        if not reporting[fact]:
            yield effect


def _called_by_script(job: Job, effect: Effect) -> CallFact | None:
    """The call, a statement of the script, on the way to an effect in another file."""
    path = effect.fact.context.frame.path()
    inner = next((frame for frame in path if frame.unit.source is not job.script), None)
    call = inner.call if inner is not None else None
    if inner is None or inner.caller is None or call is None or not isinstance(job.parent(call), ast.Expr):
        return None
    number = inner.caller.number
    return next((fact for fact in job.calls_of(call) if fact.context.frame.number == number), None)
