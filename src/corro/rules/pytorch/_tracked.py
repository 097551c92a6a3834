"""What is reported to experiment trackers, as the effect that makes it happen once."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import replace
from corro.frontends import trackers
from corro.frontends.effects import Effect, EffectKind

if TYPE_CHECKING:
    from corro.rules.base import Job


def told(job: Job, effect: Effect) -> Effect:
    """An effect; one of a tracker happens on rank 0 alone, or everywhere, where the others have silent runs."""
    if effect.kind is not EffectKind.TRACKER or trackers.is_needed(effect.fact.name):
        return effect
    if trackers.has_silent_runs(effect.fact):
        alone = trackers.is_of_files(effect.fact.name) or _shows_more(job, effect)
        return replace(effect, kind=EffectKind.RECORD) if alone else effect
    made = effect.fact.result.kind is Kind.WRITER
    return replace(effect, kind=EffectKind.WRITER if made else EffectKind.RECORD)


def _shows_more(job: Job, effect: Effect) -> bool:
    """Whether a call is given what is made for it, such as a picture, perhaps of a file that rank 0 has written."""
    if effect.fact.name in trackers.SILENT:
        return False
    inside = (node for node in ast.walk(effect.node) if isinstance(node, ast.Call) and node is not effect.node)
    names = (fact.name for node in inside for fact in job.calls_of(node) if fact.receiver is None)
    return any(map(trackers.is_media, names)) or any(value.kind is Kind.WRITER for value in effect.fact.args)
