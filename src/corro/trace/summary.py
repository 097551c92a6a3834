"""What a trace shows: where the time of a step goes on each process, who waits for whom, and what to do about it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import inf
from statistics import median

from corro.classes import dataclass
from corro.trace.spans import (
    BACKWARD,
    CHECKPOINT,
    EVALUATION,
    EXCHANGE,
    FORWARD,
    KINDS,
    LOADING,
    MOVING,
    OPTIMIZER,
    STEP,
    WAITING,
    Rank,
    Span,
)

OTHER = "everything else"
HIDDEN = "exchange behind what is computed"
_MUCH = 0.2
"""A share of the time that is worth a sentence."""
_FEWEST = 4
"""Steps that are enough to tell of."""
_APART = 1.25
"""A process whose own work takes so many times as long as that of the others is waited for."""
_OWN = (LOADING, MOVING, FORWARD, BACKWARD, OPTIMIZER, STEP, EVALUATION, CHECKPOINT, OTHER)
_ADVICE = {
    LOADING: "Give the DataLoader workers (num_workers), or prepare the data once, before training.",
    MOVING: "Pin the memory of the DataLoader (pin_memory=True) and move with non_blocking=True.",
    WAITING: "With a larger batch, or an update every few batches, there is less to exchange; gradients in 16 bits "
    "(PyTorch: --compression fp16) take half the time; or use fewer processes.",
    EVALUATION: "Evaluate less often, or on fewer samples; corro compile says where processes share an evaluation.",
    CHECKPOINT: "Save less often, or only what has changed.",
    OTHER: "This is the script's own Python between the steps: profile it on one process.",
}


@dataclass(frozen=True)
class Summary:
    """What a trace shows.

    Args:
        ranks: the numbers of the processes.
        seconds: by kind, of each process, per step; what of the exchange a step waits for counts as waiting.
        step: how long a step takes, in seconds, what is between the steps included.
        steps: how many were counted.
        hidden: the share of the exchange of buckets that happens while the process computes.
        overhead: the share of the time that the tracer itself took, of the process where that is most.
        said: in sentences, the most important first.
        notes: what there is to know about the trace: how well the clocks of other tracers are known.
    """

    ranks: tuple[int, ...]
    seconds: Mapping[str, tuple[float, ...]]
    step: float
    steps: int
    hidden: float | None
    overhead: float
    said: tuple[str, ...]
    notes: tuple[str, ...] = ()


def watched(steps: int, warm_up: int) -> int:
    """For how many steps of a run the tracers of engines look: half of those that are counted; 0 for all of few."""
    counted = (steps - 1 - warm_up) // 2
    return warm_up + 1 + counted if counted >= _FEWEST else 0


def summarised(ranks: Sequence[Rank], warm_up: int) -> Summary:
    """The steady state of a trace: without the first steps, and without those that the tracers of engines looked at.

    Such tracers slow a step down. From the steps they saw comes which parts a compiled step has, and how much of the
    exchange is hidden; from those after them how long everything takes.
    """
    number = min(len(each.ends) for each in ranks)
    first = max(0, min(warm_up, number - 2))
    counted, looked = _steady(first, max(each.watched for each in ranks), number - 1)
    steps = len(counted) - 1
    count = max(1, steps)
    windows = [_window(each, counted) for each in ranks]
    parts = [_parts(rank, *window) for rank, window in zip(ranks, windows, strict=True)]
    seen = [_parts(each, *_window(each, looked)) for each in ranks]
    if looked != counted:
        parts = [_divided(*each, counted, looked) for each in zip(ranks, parts, seen, strict=True)]
    seconds = {kind: tuple(each.get(kind, 0.0) / count for each in parts) for kind in (*KINDS, OTHER)}
    seconds = {kind: values for kind, values in seconds.items() if any(values) and kind != EXCHANGE}
    step = max(end - begin for begin, end in windows) / count
    buckets = sum(each.get(EXCHANGE, 0.0) for each in seen)
    hidden = sum(each.get(HIDDEN, 0.0) for each in seen) / buckets if buckets else None
    whole = max(each.spans[-1].end - each.spans[0].start for each in ranks if each.spans)
    overhead = max(each.own_seconds for each in ranks) / whole if whole else 0.0
    said = tuple(_said(ranks, seconds, step, [_window(each, range(first, number)) for each in ranks]))
    notes = tuple(dict.fromkeys(note for rank in ranks for note in rank.said))
    if looked != counted:
        slower = max(end - begin for begin, end in (_window(each, looked) for each in ranks)) / (len(looked) - 1)
        notes += (f"While that was written a step took {_ms(slower)}; the times above are of the steps after it.",)
    return Summary(tuple(each.number for each in ranks), seconds, step, steps, hidden, overhead, said, notes)


def _steady(first: int, until: int, last: int) -> tuple[range, range]:
    """The steps from whose ends time is counted, and those that other tracers looked at; the same where few are left.

    Args:
        first: the step after whose end it begins.
        until: for how many steps other tracers looked; 0 for all, or none.
        last: the last step.
    """
    if until - 1 > first and last - until >= _FEWEST:
        return range(until, last + 1), range(first, until)
    stop = min(until, last + 1) if until - 1 > first else last + 1
    return range(first, stop), range(first, stop)


def _window(rank: Rank, steps: range) -> tuple[float, float]:
    """From the end of the first of some steps to that of the last."""
    return rank.ends[steps[0]], rank.ends[steps[-1]]


# ---------------------------------------------------------------------- where the time goes


def _parts(rank: Rank, begin: float, end: float) -> dict[str, float]:
    """The seconds of each kind of work within a window; of what lies within another, each is counted once."""
    inside = [each for each in rank.spans if each.end > begin and each.start < end]
    found = dict.fromkeys(KINDS, 0.0)
    for span in inside:
        found[span.kind] += min(span.end, end) - max(span.start, begin)
    buckets = [each for each in inside if each.kind == EXCHANGE]
    if rank.beside:
        exposed, waited = 0.0, sum(_overlap(each, inside) for each in buckets)
    else:
        exposed = waited = sum(_exposed(each, buckets) for each in inside if each.kind == BACKWARD)
    found[BACKWARD] -= exposed
    found[OPTIMIZER] -= _within((each for each in inside if each.kind == WAITING), inside, OPTIMIZER)
    found[STEP] -= _within((each for each in inside if each.kind not in (EXCHANGE, STEP)), inside, STEP)
    found[HIDDEN] = max(0.0, found[EXCHANGE] - waited)
    found[WAITING] += exposed
    busy = sum(found[kind] for kind in KINDS if kind != EXCHANGE)
    found[OTHER] = max(0.0, end - begin - busy)
    return found


def _in_steps(rank: Rank, begin: float, end: float) -> dict[str, float]:
    """The seconds of each kind of work within compiled steps."""
    inside = [each for each in rank.spans if each.end > begin and each.start < end]
    return {
        kind: _within((each for each in inside if each.kind == kind), inside, STEP)
        for kind in KINDS
        if kind not in (EXCHANGE, STEP)
    }


def _divided(
    rank: Rank, part: Mapping[str, float], seen: Mapping[str, float], counted: range, looked: range
) -> dict[str, float]:
    """The seconds of each kind of work, where what compiled steps took goes to what a profiler saw in others of them.

    Args:
        rank: the process.
        part: the seconds of the steps that are counted.
        seen: those of the steps that were looked at.
        counted: the steps.
        looked: likewise.
    """
    own = _in_steps(rank, *_window(rank, counted))
    shown = {kind: value for kind, value in _in_steps(rank, *_window(rank, looked)).items() if value and not own[kind]}
    whole = seen[STEP] + sum(shown.values())
    shares = {kind: value / whole for kind, value in shown.items()}
    found = {kind: value + part[STEP] * shares.get(kind, 0.0) for kind, value in part.items()}
    return {**found, STEP: part[STEP] * (1 - sum(shares.values()))}


def _exposed(backward: Span, buckets: Iterable[Span]) -> float:
    """How long a backward pass only waits: from when its last bucket was full."""
    own = [each for each in buckets if backward.start <= each.start <= backward.end]
    return max(0.0, backward.end - max(each.start for each in own)) if own else 0.0


def _overlap(bucket: Span, others: Iterable[Span]) -> float:
    """How much of an exchange the process waits, and does nothing else."""
    waits = (each for each in others if each.kind == WAITING and each.end > bucket.start and each.start < bucket.end)
    return sum(max(0.0, min(bucket.end, each.end) - max(bucket.start, each.start)) for each in waits)


def _within(spans: Iterable[Span], others: Iterable[Span], kind: str) -> float:
    """How much of some spans lies within those of a kind, of which none is in another."""
    around = sorted((each.start, each.end) for each in others if each.kind == kind)
    found = 0.0
    for span in spans:
        place = bisect_right(around, (span.start, inf)) - 1
        found += span.seconds if place >= 0 and span.end <= around[place][1] else 0.0
    return found


# ---------------------------------------------------------------------- in words


def _said(
    ranks: Sequence[Rank],
    seconds: Mapping[str, tuple[float, ...]],
    step: float,
    windows: Sequence[tuple[float, float]],
) -> Iterator[str]:
    slow = _straggler(seconds, step)
    if slow is not None:
        place, kind, more = slow
        where = _line(ranks[place], kind, windows[place])
        yield (
            f"Rank {ranks[place].number} is waited for: its {kind}{where} takes {_ms(more)} a step longer than that of "
            f"the others. See what it does more, or what else runs on its cores."
        )
    shares = {kind: median(values) / step for kind, values in seconds.items() if kind in _ADVICE}
    if slow is not None and WAITING in shares:  # the others wait for that process, which waits for the network alone
        shares[WAITING] = seconds[WAITING][slow[0]] / step
    for kind, share in sorted(shares.items(), key=lambda each: -each[1]):
        if share >= _MUCH:
            place = max(range(len(ranks)), key=lambda each: seconds[kind][each])
            where = _line(ranks[place], kind, windows[place])
            yield f"{_named(kind)}{where} takes {share:.0%} of the time. {_ADVICE[kind]}"
    computed = sum(median(seconds.get(kind, (0.0,))) for kind in (FORWARD, BACKWARD, OPTIMIZER, STEP)) / step
    if slow is None and all(share < _MUCH for share in shares.values()):
        yield f"{computed:.0%} of the time goes into forward, backward and the optimizer: the processes are well used."


def _straggler(seconds: Mapping[str, tuple[float, ...]], step: float) -> tuple[int, str, float] | None:
    """The process that the others wait for, in which work, and for how long a step."""
    number = len(next(iter(seconds.values())))
    own = [sum(seconds[kind][place] for kind in _OWN if kind in seconds) for place in range(number)]
    slowest = max(range(number), key=own.__getitem__)
    others = [each for place, each in enumerate(own) if place != slowest]
    if not others or own[slowest] < _APART * median(others) or own[slowest] - median(others) < _MUCH / 2 * step:
        return None

    def more(kind: str) -> float:
        return seconds[kind][slowest] - median(v for place, v in enumerate(seconds[kind]) if place != slowest)

    kind = max((kind for kind in _OWN if kind in seconds), key=more)
    return slowest, kind, more(kind)


def _line(rank: Rank, kind: str, window: tuple[float, float]) -> str:
    """The line of the script that most time of a kind goes to."""
    kinds = (WAITING, BACKWARD) if kind == WAITING else (kind,)
    found: dict[str, float] = {}
    for span in rank.of(*kinds):
        if span.line and window[0] <= span.end <= window[1]:
            found[span.line] = found.get(span.line, 0.0) + span.seconds
    return f" ({max(found, key=found.__getitem__)})" if found else ""


def _named(kind: str) -> str:
    return "Waiting for gradients and other processes" if kind == WAITING else kind.capitalize()


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms"
