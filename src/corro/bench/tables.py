"""An experiment as tables: of each configuration what stands in its columns, as text."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corro.bench.analysis import Analysis, Comparison, Effect, Summary
    from corro.bench.design import Design, Treatment
    from corro.bench.intervals import Interval

Cells: TypeAlias = "list[tuple[Treatment, dict[str, str]]]"
"""Of each treatment what stands in its columns; an empty text where that is not known."""

_ALWAYS = ("target", "processes", "threads")


def factors(design: Design) -> list[str]:
    """What tells treatments apart: the engine, processes and threads in any case, the rest where it is varied."""
    return [*_ALWAYS, *(each.name for each in design.varied if each.name not in _ALWAYS)]


def levels(design: Design, treatment: Treatment) -> list[str]:
    """Its levels of these factors."""
    return [treatment.level(name) or "-" for name in factors(design)]


def responses(analysis: Analysis) -> Cells:
    """What was measured."""
    names = numbers(analysis.summaries)
    return [(each.treatment, _response(each, analysis.measure.unit, names)) for each in analysis.summaries]


def _response(each: Summary, unit: str, names: Sequence[str]) -> dict[str, str]:
    own = each.responses
    return {
        "runs": str(each.runs),
        unit: f"{each.rate:,.0f}" if each.rate >= 100 else _number(each.rate),
        "step ms": _number(own.get("step_median_seconds"), 1000),
        "p95": _number(own.get("step_p95_seconds"), 1000),
        "start s": _number(own.get("startup_seconds")),
        "wall s": _number(own.get("wall_seconds")),
        "cpu s": _number(own.get("cpu_seconds")),
        "peak MiB": f"{own['peak_bytes'] / 2**20:.0f}" if "peak_bytes" in own else "",
        "sent MiB": f"{own['sent_bytes'] / 2**20:.0f}" if "sent_bytes" in own else "",
        **{name: _range(each.numbers.get(name)) for name in names},
    }


def numbers(summaries: Sequence[Summary], most: int = 2) -> list[str]:
    """The results that most runs report, an accuracy first."""
    found = [name for each in summaries for name in each.numbers]
    return sorted(
        dict.fromkeys(found), key=lambda name: (-found.count(name), "acc" not in name.lower(), found.index(name))
    )[:most]


def _range(pair: tuple[float, float] | None) -> str:
    if pair is None:
        return ""
    low, high = (f"{each:.4g}" for each in pair)
    return low if low == high else f"{low} to {high}"


def _number(value: float | None, factor: float = 1.0) -> str:
    return "" if value is None or not isfinite(value) else f"{value * factor:.1f}"


def comparisons(analysis: Analysis) -> Cells:
    """What that is beside the sequential run and the limits."""
    return [(each.treatment, _comparison(each)) for each in analysis.comparisons]


def _comparison(each: Comparison) -> dict[str, str]:
    serial = each.serial_fraction
    return {
        "speed-up": _interval(each.speed_up),
        "efficiency": f"{each.efficiency.estimate:.0%}",
        "serial\nfraction": f"{serial.estimate:.2f}" if serial else "",
        "of whole\nruns": _interval(each.whole),
        "by that of\nall threads": _interval(each.beside_alone),
        "by that of\nunconnected": _interval(each.beside_unconnected),
    }


def _interval(found: Interval | None) -> str:
    if found is None:
        return ""
    return f"{found.estimate:.2f} ({found.low:.2f}–{found.high:.2f})" if found.known else f"{found.estimate:.2f}"


EFFECTS = ("effect", "share of variation", "p", "rate by level")


def effects(found: Sequence[Effect]) -> list[tuple[str, ...]]:
    """A row for each effect, with the columns of ``EFFECTS``."""
    return [_effect(each) for each in found]


def _effect(each: Effect) -> tuple[str, ...]:
    told = ", ".join(f"{level}: {rate:,.1f}" for level, rate in each.levels if each.source != ("configuration",))
    p = "" if not isfinite(each.p_value) else "<0.001" if each.p_value < 0.001 else f"{each.p_value:.3f}"
    return " × ".join(each.source), f"{each.share:.1%}", p, told
