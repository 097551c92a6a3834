"""What would be changed in a script, and why: it is compiled once more for each engine that was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from corro.compiler import Options, compile_source
from corro.errors import CorroError
from corro.patch import patch
from corro.source import read_source

if TYPE_CHECKING:
    from corro.compiler import Output
    from corro.report.found import Found


@dataclass(frozen=True)
class Changed:
    """The conversion of a script for one engine.

    Args:
        target: the engine.
        scaling: ``strong`` or ``weak``.
        reasons: place in the script, rule and reason of each change.
        diff: as ``corro compile --diff`` prints it.
        problem: why there is none.
    """

    target: str
    scaling: str
    reasons: tuple[tuple[str, str, str], ...] = ()
    diff: str = ""
    problem: str = ""


def changes_of(found: Found) -> tuple[Changed, ...]:
    """The conversions of a script; none where it does not lie where the commands saw it."""
    path = Path(found.script)
    if not path.is_file():
        return ()
    return tuple(_changed(path, target, scaling) for target, scaling in dict.fromkeys(_engines(found)))


def _engines(found: Found) -> Iterator[tuple[str, str]]:
    for experiment in found.experiments:
        yield from ((each.target, each.scaling) for each in experiment.design.cells)
    abouts = (told["about"] for told in (*found.verdicts, *found.traces))
    yield from ((about["target"], about["scaling"]) for about in abouts if about["target"])


def _changed(path: Path, target: str, scaling: str) -> Changed:
    try:
        output = compile_source(read_source(path), Options(target, scaling, assume=True))
    except CorroError as error:
        return Changed(target, scaling, problem=str(error))
    if output.text is None:
        return Changed(target, scaling, problem=f"the script is not converted as it is now: {_refusal(output)}")
    diff = "".join(text for text, _ in patch(output))
    return Changed(target, scaling, tuple(_reasons(output)), diff)


def _refusal(output: Output) -> str:
    return next((each.message for each in output.plan.refusals), output.plan.outcome.value)


def _reasons(output: Output) -> Iterator[tuple[str, str, str]]:
    sources = {"": output.source, **{str(module.source.path): module.source for module in output.modules}}
    for change in output.plan.changes:
        source = sources[change.file]
        place = source.place(change.span.start)
        yield f"{Path(place.file).name}:{place.inside}", change.rule, change.reason


def rules_of(changes: Sequence[Changed]) -> tuple[str, ...]:
    """The names of the rules that changed something."""
    return tuple(dict.fromkeys(rule for each in changes for _, rule, _ in each.reasons))
