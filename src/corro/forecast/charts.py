"""A forecast as a picture: a page by Altair, or an image by matplotlib."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from corro.forecast.outlook import Outlook

_COLOURS = {"strong": "#2a9d8f", "weak": "#c9a227", "nobody to wait for": "#8a8a8a"}


def draw(found: Mapping[str, Sequence[Outlook]], path: Path, title: str) -> None:
    """Draw throughput and efficiency by the number of processes, with their intervals.

    Args:
        found: what is expected, by the scaling.
        path: ``.html``, ``.png`` or ``.svg``.
        title: above the chart.
    """
    if path.suffix == ".html":
        _page(points(found), path, title)
    else:
        _image(points(found), path, title)


def points(found: Mapping[str, Sequence[Outlook]]) -> list[dict[str, Any]]:
    """What is drawn: a row for each number of processes and each of the two numbers."""
    rows = []
    for scaling, outlooks in found.items():
        for each in outlooks:
            for what, value in (("samples/s", each.rate), ("efficiency", each.efficiency)):
                own = {"value": value.value, "low": value.low, "high": value.high}
                rows.append({"scaling": scaling, "what": what, "processes": each.processes, **own})
            ideal = each.rate.value / each.efficiency.value
            rows.append(
                {"scaling": "nobody to wait for", "what": "samples/s", "processes": each.processes}
                | dict.fromkeys(("value", "low", "high"), ideal)
            )
    return rows


def _page(drawn: list[dict[str, Any]], path: Path, title: str) -> None:
    import altair  # noqa: PLC0415

    colours = altair.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    panels = []
    for what in ("samples/s", "efficiency"):
        own = [each for each in drawn if each["what"] == what]
        base = altair.Chart(altair.Data(values=own), width=420, height=300, title=what)
        axis = altair.Scale(type="log" if what == "samples/s" else "linear")
        x = altair.X("processes:Q", scale=altair.Scale(type="log", base=2), title="processes")
        colour = altair.Color("scaling:N", scale=colours, title=None)
        y = altair.Y("value:Q", scale=axis, title=None)
        tips = ["scaling:N", "processes:Q", *(altair.Tooltip(f"{n}:Q", format=".3g") for n in ("value", "low", "high"))]
        band = base.mark_area(opacity=0.2).encode(x=x, y=altair.Y("low:Q", scale=axis), y2="high:Q", color=colour)
        panels.append(band + base.mark_line(point=True).encode(x=x, y=y, color=colour, tooltip=tips))
    altair.hconcat(*panels, title=title).save(str(path), format="html", inline=True)


def _image(drawn: list[dict[str, Any]], path: Path, title: str) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(10, 4), layout="constrained")
    for axes, what in zip(figure.subplots(1, 2), ("samples/s", "efficiency"), strict=True):
        for scaling, colour in _COLOURS.items():
            own = [each for each in drawn if (each["what"], each["scaling"]) == (what, scaling)]
            own.sort(key=lambda each: int(each["processes"]))
            if own:
                x, value, low, high = ([each[key] for each in own] for key in ("processes", "value", "low", "high"))
                axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
                axes.plot(x, value, "o-", color=colour, label=scaling, markersize=4)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log" if what == "samples/s" else "linear")
        axes.set_xlabel("processes")
        axes.set_title(what)
        axes.legend(fontsize=8)
    figure.suptitle(title, fontsize=10, x=0.01, ha="left")
    figure.savefig(path, dpi=150)
