"""What an experiment shows, in sentences."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from corro.bench.accuracy import FEWEST, Equality, Reached
from corro.bench.analysis import BATCHES, WHOLE, Analysis, Comparison, Effect
from corro.bench.design import Treatment
from corro.bench.intervals import Interval

_CLEAR = 0.05
"""An effect is shown where chance alone would give one as large less often than that."""
_NO_MATTER = 0.05
"""Effects with less than that share of the variation are not told of."""
_APART = 0.1
"""Whole runs are told of where their speed-up is so far from that of the steady state."""
_RESULT_APART = 0.25
"""Results of the script are pointed at where they are so far from those of the sequential run."""
_WIDE = 1.5
"""An interval is wide where its ends have that ratio."""


def named(treatment: Treatment) -> str:
    """A treatment in words."""
    parts = [
        f"{treatment.target}, {counted(treatment.processes, 'process')}",
        f"{counted(treatment.threads, 'thread')} each",
    ]
    parts += [treatment.scaling] * bool(treatment.scaling)
    exchange = treatment.exchange
    parts += [f"gradients as {exchange.compression}"] * bool(exchange.compression)
    parts += [f"{exchange.bucket_mb} MiB at a time"] * bool(exchange.bucket_mb)
    parts += [f"{name} {level}" for name, level in treatment.options]
    return ", ".join(parts)


def counted(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'' if number == 1 else 'es' if word.endswith('s') else 's'}"


def times(ratio: Interval) -> str:
    """A ratio with its interval."""
    if not ratio.known:
        return f"{_short(ratio.estimate)}"
    return f"{_short(ratio.estimate)} (95 % interval {_short(ratio.low)} to {_short(ratio.high)})"


def _short(number: float) -> str:
    if not isfinite(number):
        return "?"
    return f"{number:.1f}" if 1.095 <= number < 10 else f"{number:.2f}" if number < 10 else f"{number:.0f}"


def conclusions(analysis: Analysis) -> tuple[str, ...]:
    """What there is to conclude, the most important first."""
    return (*of_speed(analysis), *of_results(analysis))


def of_speed(analysis: Analysis) -> tuple[str, ...]:
    """What there is to conclude of rates and times."""
    best = _best(analysis)
    return (*(_of(best, analysis) if best is not None else ()), *_of_effects(analysis))


def of_results(analysis: Analysis) -> tuple[str, ...]:
    """What there is to conclude of the numbers that the script reports, that on most processes first."""
    equal = sorted(analysis.equal, key=lambda each: -each.treatment.processes)
    return (*map(of_equality, equal), *map(_of_reached, analysis.reached), *_of_numbers(analysis))


def _best(analysis: Analysis) -> Comparison | None:
    """The fastest way on several processes; on one where there is no other."""
    own = [each for each in analysis.comparisons if each.treatment.distributed]
    several = [each for each in own if each.treatment.processes > 1]
    rates = {each.treatment: each.rate for each in analysis.summaries}
    return max(several or own, key=lambda each: rates[each.treatment], default=None)


def _of(best: Comparison, analysis: Analysis) -> Iterator[str]:
    own, cores = best.treatment, analysis.design.cores
    n = counted(own.processes, "process")
    options = "".join(f", {name} {level}" for name, level in own.options)
    scaling = f", {own.scaling} scaling" if own.scaling == "weak" else ""
    with_ = f"{own.target}, {counted(own.threads, 'thread')} each{scaling}{options}"
    gained = best.speed_up
    are, one = ("is", "the sequential run") if own.processes == 1 else ("are", "1")
    if not gained.known:
        yield (
            f"{n} ({with_}) ran {times(gained)} times as fast as {one}. Of one run there is no interval: this may be "
            "chance."
        )
    elif gained.low > 1:
        yield f"{n} ({with_}) {are} {times(gained)} times as fast as {one}."
    elif gained.high < 1:
        yield f"{n} ({with_}) {are} slower than {one}: {times(gained)} times as fast."
    else:
        yield f"It is not shown that {n} ({with_}) {are} faster than {one}: {times(gained)} times as fast."
    whole = best.whole
    if whole is not None and analysis.measure is not WHOLE and abs(whole.estimate / gained.estimate - 1) > _APART:
        yield f"Of whole runs, with start-up and what is done between the steps, it is {times(whole)} times."
    yield from _beside_alone(best, cores, options)
    limit = best.beside_unconnected
    if limit is not None and limit.high < 1:
        lost = Interval(1 - limit.estimate, 1 - limit.high, 1 - limit.low)
        yield (
            f"The exchange between processes, and waiting for each other, takes {lost.estimate:.0%} of a step "
            f"({lost.low:.0%} to {lost.high:.0%}): so far they are behind as many unconnected processes."
        )


def _beside_alone(best: Comparison, cores: int, options: str) -> Iterator[str]:
    """One process that has all threads is what people would use instead."""
    own, alone = best.treatment, best.beside_alone
    if alone is None or own.sequential == own.alone(cores):
        return
    n, other = counted(own.processes, "process"), f"one process with {counted(cores, 'thread')}"
    if not alone.known:
        word = "faster" if alone.estimate > 1 else "slower"
        yield f"Beside {other} they were {word}: {times(alone)} times as fast."
    elif alone.high < 1:
        yield (
            f"{n[0].upper()}{n[1:]} are slower than {other} here: {times(alone)} times as fast. Use one process: "
            f"OMP_NUM_THREADS={cores} python SCRIPT{options}"
        )
    elif alone.low > 1:
        yield f"{n[0].upper()}{n[1:]} are faster than {other}: {times(alone)} times as fast."
    else:
        yield f"Beside {other} no difference is shown: {times(alone)} times as fast."


def _of_effects(analysis: Analysis) -> Iterator[str]:
    if not analysis.effects or analysis.effects[0].source == ("configuration",):
        return
    factors = sorted(
        (each for each in analysis.effects if each.source not in (("block",), ("error",), ("configuration",))),
        key=lambda each: -each.share,
    )
    strong = [each for each in factors if each.share >= _NO_MATTER and each.p_value < _CLEAR]
    if strong:
        yield f"What makes the difference among the engines' runs: {'; '.join(map(_effect, strong))}."
    weak = [" × ".join(each.source) for each in factors if len(each.source) == 1 and each.p_value >= _CLEAR]
    if weak:
        yield f"No effect is shown of {', '.join(weak)}."


def _effect(effect: Effect) -> str:
    share = f"{' × '.join(effect.source)} ({effect.share:.0%} of the variation"
    if not effect.levels:
        return f"{share})"
    (worst, low), *_, (best, high) = sorted(effect.levels, key=lambda each: each[1])
    return f"{share}; {best} has {high / low:.2f} times the rate of {worst})"


def of_equality(each: Equality) -> str:
    """Whether a number is that of the sequential run, or why nothing was tested."""
    who, far = f"{named(each.treatment)}: {each.name}", f"{each.margin:.4g}"
    apart, seeds = each.difference, counted(each.seeds, "seed")
    if each.alike:
        return (
            f"{who} differs by {apart.estimate:.3g} from that of the sequential run in all replications: they had the "
            "same seed, which tests nothing. Vary it: --seeds seed=1,2,3,4,5"
        )
    if not each.tested:
        return f"{who} was not tested: {counted(each.seeds, 'run')} of both sides, of {FEWEST} at least."
    between = f"difference {apart.estimate:.3g}, 90 % interval {apart.low:.3g} to {apart.high:.3g}, {seeds}"
    if each.shown:
        return f"{who} is that of the sequential run within {far} ({between}; two one-sided tests, {_p(each)})."
    if each.differs:
        return f"{who} is not that of the sequential run: it differs by more than {far} ({between})."
    return f"{who}: it is not shown that it is that of the sequential run within {far} ({between}). More seeds may."


def _p(each: Equality) -> str:
    return f"p = {each.p_value:.3f}" if each.p_value >= 0.001 else "p < 0.001"


def _of_reached(each: Reached) -> str:
    """How soon a value is reached."""
    who, what = named(each.treatment), f"{each.name} {each.value:g}"
    if not each.reached:
        return f"{who}: {what} was never reached ({counted(each.runs, 'run')})."
    some = f" in {each.reached} of {each.runs} runs" * (each.reached < each.runs)
    beside = f", {times(each.faster)} times as soon as the sequential run" if each.faster is not None else ""
    return f"{who}: {what} was reached after {each.seconds:.1f} s{some}{beside}."


def _of_numbers(analysis: Analysis) -> Iterator[str]:
    """The result that is furthest from that of the sequential run, where it is far; it is not tested here."""
    base = {each.treatment: each for each in analysis.summaries}
    found: list[tuple[float, str]] = []
    for each in analysis.comparisons:
        own, sequential = base[each.treatment], base.get(each.treatment.sequential)
        if sequential is None or not each.treatment.distributed:
            continue
        tested = {other.name for other in analysis.equal}
        for name in (own.numbers.keys() & sequential.numbers.keys()) - tested:
            mine, theirs = (sum(pair) / 2 for pair in (own.numbers[name], sequential.numbers[name]))
            far = abs(mine - theirs) / max(abs(mine), abs(theirs), 1e-12)
            found.append((far, f"{named(each.treatment)} reports {name} {mine:.4g}, the sequential run {theirs:.4g}"))
    far, said = max(found, default=(0.0, ""))
    if far > _RESULT_APART:
        yield (
            f"Results differ most here: {said}. Samples come in another order; whether the same model is trained is "
            "shown by corro verify."
        )


def caution(analysis: Analysis) -> tuple[str, ...]:
    """What limits the conclusions."""
    found = [*(f"{each}." for each in analysis.design.said)]
    if analysis.measure in (WHOLE, BATCHES):
        found.append(f"Compared are {analysis.measure.name}.")
    if analysis.blocks == 1:
        found.append("One replication: there are no intervals. Add --replications 3.")
    elif analysis.blocks == 2:
        found.append("Two replications: the intervals are very wide. Three or more make them useful.")
    if analysis.blocks > 2 and any(
        each.speed_up.known and each.speed_up.high > _WIDE * each.speed_up.low for each in analysis.comparisons
    ):
        found.append(
            "Intervals are wide, as equal runs differed much: more --replications, longer runs, or a machine that "
            "nobody else works on make them narrower."
        )
    if not analysis.balanced:
        found.append("Some runs are missing: shares of variation do not add up to 100 %.")
    return tuple(found)
