"""What the profiler of TensorFlow or JAX saw of a process, beside the spans: the parts of a compiled step.

Operations carry the names that the frameworks give them, and these say what they are for: ``gradient_tape/`` in
TensorFlow and ``transpose(jvp(…))`` in JAX are the backward pass, and the name of an optimizer is that.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corro.classes import dataclass, replace
from corro.trace.clocks import Alignment, aligned
from corro.trace.inside_keras import ANCHOR
from corro.trace.spans import (
    BACKWARD,
    EXCHANGE,
    FORWARD,
    LOADING,
    OPTIMIZER,
    STEP,
    WAITING,
    Foreign,
    Rank,
    Span,
)
from corro.trace.xplane import Event, Profile

_OF_TENSORFLOW = re.compile(r"(?P<scope>[\w./>-]+):(?P<type>_?[A-Z]\w*)")
_NEXT = "IteratorGetNextOp::DoCompute"
_BACKWARD = re.compile(r"(^|/)gradient_tape/|(^|/)gradients?(_\d+)?/|transpose\(jvp")
_EXCHANGES = re.compile(r"Collective(Reduce|Gather|AllToAll)|NcclAllReduce")
_EXCHANGES_OF_JAX = re.compile(r"(all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute)")
_COMPILED = frozenset({"XlaLaunch", "_XlaRun", "_XlaCompile", "XlaLaunchV2"})
_FIRST = (BACKWARD, FORWARD, OPTIMIZER, LOADING, EXCHANGE)
"""Of what is done at the same time, what a moment counts for; an exchange alone is waited for."""
_TOGETHER_SECONDS = 20e-6
_SHORT_SECONDS = 5e-6
"""What is shorter counts to what is done before and after it: several threads compute for each other."""
_WAIT_SECONDS = 100e-6
_SHOWN_SECONDS = 1e-6
_MICROSECONDS = 1e6
_Moment = tuple[str, float, float]
"""What is done, from when, until when."""


@dataclass(frozen=True)
class Operation:
    """Something that was computed.

    Args:
        kind: one of ``_FIRST``.
        name: as the framework calls it.
        thread: that computed it.
        start: by the clock of spans.
        end: likewise.
    """

    kind: str
    name: str
    thread: str
    start: float
    end: float


def merged(rank: Rank, profile: Profile, noted: Mapping[str, Any]) -> Rank:
    """A process with its profile; where there is none, that is said."""
    library = noted["library"]
    clock = _alignment(profile, noted["anchors"])
    if clock is None or not profile.events:
        why = noted["why"] or "there is none of these steps"
        return replace(rank, said=(*rank.said, f"No profile of {library} is merged: {why}."))
    found = sorted(_operations(profile, noted["optimizers"], clock.offset), key=lambda each: each.start)
    starts = [each.start for each in found]
    inside: list[Span] = []
    exchanged: list[Span] = []
    for step in rank.of(STEP):
        own = found[bisect_left(starts, step.start) : bisect_left(starts, step.end)]
        inside += _parts(step, own, unseen=noted["unseen"])
        exchanged += _exchanges(step, own)
    shown = (Foreign(f"{library}: {each.thread}", each.name, each.start, each.end) for each in found
             if each.end - each.start >= _SHOWN_SECONDS)  # fmt: skip
    return replace(
        rank,
        spans=tuple(sorted((*rank.spans, *inside, *exchanged), key=lambda each: each.end)),
        foreign=(*rank.foreign, *shown),
        watched=noted["steps"],
        beside=True,
        said=(
            *rank.said,
            f"The profile of {library} is merged, to within {max(1.0, clock.error * _MICROSECONDS):.0f} µs: "
            "it tells the parts of a compiled step.",
        ),
    )


def _alignment(profile: Profile, anchors: Sequence[Sequence[float]]) -> Alignment | None:
    """By the moments that were marked in it; of those the first may lie before its beginning, and none is counted."""
    marks = sorted((each.start, each.end) for each in profile.events if each.name == ANCHOR)
    if len(marks) != len(anchors):
        return None
    after = [(start, before) for (start, _), (before, _) in zip(marks, anchors, strict=True)]
    before = [(end, then) for (_, end), (_, then) in zip(marks, anchors, strict=True)]
    return aligned(after, before)


# ---------------------------------------------------------------------- what operations are for


def _operations(profile: Profile, optimizers: Iterable[str], offset: float) -> Iterator[Operation]:
    names = "|".join(map(re.escape, optimizers)) or "(?!)"
    optimizer = re.compile(rf"(^|/)({names})(_\d+)?(/|$)")

    def purpose(name: str) -> str:
        if _BACKWARD.search(name):
            return BACKWARD
        return OPTIMIZER if optimizer.search(name) else FORWARD

    for event in profile.events:
        found = _of_jax(event, profile, purpose) if "hlo_op" in event.told else _of_tensorflow(event, purpose)
        if found:
            yield Operation(*found, event.line, event.start + offset, event.end + offset)


def _of_tensorflow(event: Event, purpose: Any) -> tuple[str, str] | None:
    """An operation is called ``scope/name:Type``; those of a pipeline's own threads are none of the step."""
    if event.name == _NEXT:
        return LOADING, event.name
    match = _OF_TENSORFLOW.fullmatch(event.name)
    if match is None or event.line.startswith("tf_data") or match["type"] in _COMPILED:
        return None
    if _EXCHANGES.match(match["type"]):
        return EXCHANGE, event.name
    return purpose(match["scope"]), event.name


def _of_jax(event: Event, profile: Profile, purpose: Any) -> tuple[str, str] | None:
    """An instruction of XLA, with what it was made for; where the compiler made it up, it is not known."""
    name, module = str(event.told["hlo_op"]), str(event.told.get("hlo_module", ""))
    if _EXCHANGES_OF_JAX.match(name):
        return EXCHANGE, name
    made_for = profile.instructions.get((module, name), "")
    return (purpose(made_for), made_for) if "/" in made_for else None


# ---------------------------------------------------------------------- the parts of a step


def _parts(step: Span, operations: Sequence[Operation], *, unseen: bool) -> Iterator[Span]:
    """What a step did, one after the other.

    Args:
        step: the whole.
        operations: that begin within it.
        unseen: whether gradients are exchanged by operations that the profiler does not see, as Horovod's.
    """
    found: list[_Moment] = []
    for moment in _moments(step, operations, unseen):
        if found and moment[0] == found[-1][0] and _near(found[-1], moment):
            found[-1] = (*found[-1][:2], moment[2])
        elif len(found) > 1 and moment[0] == found[-2][0] and _flickers(found[-2], found[-1], moment):
            found[-2:] = [(*found[-2][:2], moment[2])]
        else:
            found.append(moment)
    for each in found:
        yield Span(*each, step.line, step.step)


def _near(before: _Moment, after: _Moment) -> bool:
    return after[1] - before[2] <= _TOGETHER_SECONDS


def _flickers(before: _Moment, short: _Moment, after: _Moment) -> bool:
    """Whether something is so short, and what is done before and after it so near, that it counts to that."""
    return short[2] - short[1] < _SHORT_SECONDS and _near(before, short) and _near(short, after)


def _moments(step: Span, operations: Sequence[Operation], unseen: bool) -> Iterator[_Moment]:
    """From change to change.

    Where an exchange is not seen, it is waited for while nothing is computed, from the first gradient to the last
    operation.
    """
    changes = sorted(
        change
        for each in operations
        for change in ((each.start, 1, each.kind), (min(each.end, step.end), -1, each.kind))
    )
    gradient = min((each.end for each in operations if unseen and each.kind == BACKWARD), default=step.end)
    active = dict.fromkeys(_FIRST, 0)
    now = step.start
    for at, change, kind in changes:
        doing = next((each for each in _FIRST if active[each]), "")
        if doing and at > now:
            yield (WAITING if doing == EXCHANGE else doing), now, at
        elif not doing and gradient <= now and at - now > _WAIT_SECONDS:
            yield WAITING, now, at
        active[kind] += change
        now = at


def _exchanges(step: Span, operations: Sequence[Operation]) -> Iterator[Span]:
    """When gradients were exchanged, as far as that was seen: what overlaps is one exchange."""
    start = end = 0.0
    for each in operations:
        if each.kind != EXCHANGE:
            continue
        if each.start > end:
            if end:
                yield Span(EXCHANGE, start, end, "", step.step)
            start, end = each.start, each.end
        end = max(end, each.end)
    if end:
        yield Span(EXCHANGE, start, end, "", step.step)
