"""The figures of a report, by Altair; as SVG they take the colour of the text around them, light or dark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import median
from typing import TYPE_CHECKING, Any

from corro.bench.charts import speed_ups
from corro.bench.words import counted, named

if TYPE_CHECKING:
    from corro.bench.analysis import Analysis
    from corro.bench.design import Treatment
    from corro.bench.kept import Experiment
    from corro.report.ahead import Ahead
    from corro.report.found import Told

_INK = "currentColor"
_PAPER = "white"
_COLOURS = ["#3d85c6", "#e07b39", "#2a9d8f", "#c44e52", "#9468bd", "#b08d2e", "#d56fa6", "#7f8c8d", "#5fa052"]
"""Of a middling lightness: they can be told from white and from black."""
_WIDTH = 560
_TIMELINE_STEPS = 3


@dataclass(frozen=True)
class Figure:
    """A chart.

    Args:
        name: a word for it, of which the name of a file can be made.
        title: what is to be seen, in words; read aloud to those who do not see it.
        chart: of Altair.
    """

    name: str
    title: str
    chart: Any

    def svg(self, *, alone: bool = False) -> str:
        """The figure as SVG; ``alone`` is for a file of its own, on white."""
        import vl_convert  # noqa: PLC0415

        drawn: str = vl_convert.vegalite_to_svg(self.chart.to_dict(), config=_config("black" if alone else _INK))
        return drawn.replace("<svg ", f'<svg style="background:{_PAPER}" ' if alone else "<svg ", 1)


def _config(ink: str) -> dict[str, Any]:
    return {
        "background": "transparent",
        "font": "Arial, Liberation Sans, Helvetica, sans-serif",  # that of which widths were measured
        "padding": {"left": 24, "right": 12, "top": 6, "bottom": 6},
        "axis": {
            **dict.fromkeys(("labelColor", "titleColor", "domainColor", "tickColor", "gridColor"), ink),
            "gridOpacity": 0.15,
            "labelFontSize": 12,
            "titleFontSize": 12,
            "titleFontWeight": "normal",
            "labelLimit": 420,
        },
        "header": {"labelColor": ink, "titleColor": ink, "labelFontSize": 12},
        "legend": {"labelColor": ink, "labelFontSize": 12, "labelLimit": 420, "orient": "bottom", "columns": 3},
        "range": {"category": _COLOURS},
        "rule": {"color": ink},
        "view": {"stroke": None},
    }  # fmt: skip


def of_speed(analysis: Analysis) -> Figure | None:
    """The speed-up of each configuration, with its interval."""
    if not any(isfinite(each.speed_up.estimate) for each in analysis.comparisons):
        return None
    title = "Speed-up by a sequential run with as many threads, with its 95 % interval; 1 is that run"
    return Figure("speed-up", title, speed_ups(analysis, _WIDTH))


def of_processes(analysis: Analysis) -> Figure | None:
    """How the speed-up grows with the processes, where there are several numbers of them."""
    import altair  # noqa: PLC0415

    own = [each for each in analysis.comparisons if isfinite(each.speed_up.estimate)]
    rows = [
        {"processes": each.treatment.processes, "speed-up": each.speed_up.estimate, "of": _line_of(each.treatment)}
        for each in own
    ]
    numbers = sorted({each.treatment.processes for each in own})
    if len(numbers) < 2:
        return None
    ideal = [{"processes": each, "speed-up": each, "of": "ideal"} for each in (1, numbers[-1])]
    x = altair.X("processes:Q", axis=altair.Axis(values=numbers, format="d"), scale=altair.Scale(nice=False, padding=8))
    y = altair.Y("speed-up:Q", scale=altair.Scale(zero=True))
    lines = altair.Chart(altair.Data(values=rows), width=_WIDTH, height=260).mark_line(
        point={"size": 60, "filled": True}
    )
    drawn = lines.encode(x=x, y=y, color=altair.Color("of:N", title=None))
    dashed = altair.Chart(altair.Data(values=ideal)).mark_line(strokeDash=[4, 4], opacity=0.5, color=_INK)
    return Figure(
        "processes",
        "Speed-up by the number of processes; the dashed line is as many times as there are processes",
        altair.layer(dashed.encode(x=x, y=y), drawn),
    )  # fmt: skip


def _line_of(treatment: Treatment) -> str:
    """A configuration without its number of processes."""
    return ", ".join(part for number, part in enumerate(named(treatment).split(", ")) if number != 1)


def of_wall(analysis: Analysis) -> Figure | None:
    """The time of whole runs, split into start-up, training and the rest."""
    rows = [row for each in analysis.summaries for row in _wall_parts(named(each.treatment), each.responses)]
    if not rows:
        return None
    kinds = list(dict.fromkeys(row["part"] for row in rows))
    chart = _stacked(rows, "configuration", "seconds", "part", kinds, "seconds from launch to end (medians)")
    return Figure("wall-time", "Time of whole runs, from launch to end", chart)


def _wall_parts(name: str, responses: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    wall = responses.get("wall_seconds", float("nan"))
    if not isfinite(wall):
        return
    start, training = (responses.get(f"{each}_seconds", 0.0) for each in ("startup", "training"))
    start, training = (each if isfinite(each) else 0.0 for each in (start, training))
    parts = {
        "until the first step has ended": start,
        "training": training,
        "the rest": max(0.0, wall - start - training),
    }
    yield from ({"configuration": name, "part": part, "seconds": seconds} for part, seconds in parts.items() if seconds)


def of_numbers(experiment: Experiment, names: Iterable[str]) -> Iterator[Figure]:
    """Each number that the script reports, over time: a line for each run."""
    import altair  # noqa: PLC0415

    order = [named(each) for each in experiment.design.treatments]
    for name in names:
        rows = [
            {"run": number, "seconds": at, "value": value, "of": named(row.treatment)}
            for number, row in enumerate(experiment.rows)
            if row.block > 0 and not row.failed and (row.treatment.distributed or row.treatment.processes == 1)
            for at, value in row.series.get(name, ())
            if isfinite(value)
        ]
        if len({(row["run"], row["seconds"]) for row in rows}) < 2:
            continue
        base = altair.Chart(altair.Data(values=rows), width=_WIDTH, height=260)
        drawn = base.mark_line(point={"size": 28, "filled": True}, opacity=0.65, strokeWidth=1.5).encode(
            x=altair.X("seconds:Q", title="seconds from launch"),
            y=altair.Y("value:Q", title=name, scale=altair.Scale(zero=False)),
            color=altair.Color("of:N", title=None, sort=order, legend=altair.Legend(columns=2)),
            detail="run:N",
        )
        yield Figure(
            f"over-time-{_slug(name)}", f"{name} over time, as the script reports it; a line for each run", drawn
        )


def _slug(text: str) -> str:
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())


def of_phases(traces: Sequence[Told]) -> Figure | None:
    """Where the time of a step goes: a bar for each process of each engine."""
    rows = [
        {"process": f"{label(told)}: rank {rank}", "work": kind, "milliseconds": values[place] * 1000}
        for told in traces
        for kind, values in told["about"]["summary"]["seconds"].items()
        for place, rank in enumerate(told["about"]["summary"]["ranks"])
    ]
    if not rows:
        return None
    kinds = list(dict.fromkeys(row["work"] for row in rows))
    chart = _stacked(rows, "process", "milliseconds", "work", kinds, "milliseconds a step")
    return Figure("phases", "Where the time of a step goes, on each process", chart)


def of_ahead(found: Sequence[Ahead]) -> Figure | None:
    """The efficiency by the number of processes, for each network."""
    import altair  # noqa: PLC0415

    rows = [
        {"network": each.network, "scaling": f"{scaling} scaling", "processes": one.processes, "efficiency": own.value}
        for each in found
        for scaling, outlooks in each.by_scaling.items()
        for one in outlooks
        for own in (one.efficiency,)
    ]
    if not rows:
        return None
    base = altair.Chart(altair.Data(values=rows), width=_WIDTH // 2 - 20, height=240)
    x = altair.X("processes:Q", scale=altair.Scale(type="log", base=2))
    y = altair.Y("efficiency:Q", axis=altair.Axis(format="%"), scale=altair.Scale(domain=[0, 1], clamp=True))
    colour = altair.Color("network:N", title=None, sort=[each.network for each in found])
    drawn = base.mark_line(point={"size": 40, "filled": True}).encode(x=x, y=y, color=colour)
    title = "Efficiency that is to be expected, by processes on machines of their own, for some networks"
    return Figure("forecast", title, drawn.facet(column=altair.Column("scaling:N", title=None)))


def _stacked(rows: list[dict[str, Any]], name: str, value: str, part: str, parts: list[str], title: str) -> Any:
    import altair  # noqa: PLC0415

    for row in rows:
        row["order"] = parts.index(row[part])
    base = altair.Chart(altair.Data(values=rows), width=_WIDTH, height=altair.Step(30))
    return base.mark_bar().encode(
        x=altair.X(f"{value}:Q", title=title),
        y=altair.Y(f"{name}:N", sort=None, title=None),
        color=altair.Color(f"{part}:N", title=None, sort=parts),
        order="order:Q",
    )


def label(told: Told) -> str:
    """What a trace or a verification is of, in words."""
    about = told["about"]
    return f"{about['target'] or 'distributed by hand'}, {counted(about['processes'], 'process')}"


def of_timeline(told: Told) -> Figure | None:
    """Some steps in the middle of a trace, as they went: a row for each process."""
    import altair  # noqa: PLC0415

    spans = [each for each in told.get("traceEvents", ()) if each.get("ph") == "X"]
    steps = sorted({each["args"]["step"] for each in spans if "step" in each.get("args", {})})
    if not steps:
        return None
    at = max(0, len(steps) // 2 - _TIMELINE_STEPS // 2)
    shown = set(steps[at : at + _TIMELINE_STEPS])
    some = [each for each in spans if each["args"].get("step") in shown]
    begun = min(each["ts"] for each in some)
    rows = [
        {
            "process": f"rank {each['pid']}",
            "work": each["name"],
            "from": (each["ts"] - begun) / 1000,
            "to": (each["ts"] - begun + each["dur"]) / 1000,
        }
        for each in some
    ]
    chart = (
        altair.Chart(altair.Data(values=rows), width=_WIDTH, height=altair.Step(16))
        .mark_bar(height=12)
        .encode(
            x=altair.X("from:Q", title="milliseconds"),
            x2="to:Q",
            y=altair.Y("work:N", sort=_in_order(rows), title=None),
            color=altair.Color("work:N", sort=_in_order(rows), legend=None),
            row=altair.Row("process:N", title=None, header=altair.Header(labelAngle=0, labelAlign="left")),
        )
    )
    title = f"{counted(len(shown), 'step')} of {label(told)}, as they went"
    return Figure(f"timeline-{_slug(label(told))}", title, chart)


def _in_order(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Kinds of work by when they are first begun."""
    first: dict[str, list[float]] = {}
    for row in rows:
        first.setdefault(row["work"], []).append(row["from"])
    return sorted(first, key=lambda each: median(first[each]))
