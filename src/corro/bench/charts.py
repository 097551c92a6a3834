"""An experiment as a picture: a page by Altair, with all that it needs in it, or an image by matplotlib."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any

from corro.bench.analysis import Analysis, Comparison
from corro.bench.words import conclusions, named

_WIDTH = 560
_COLOURS = {"faster": "#2a9d8f", "slower": "#c44e52", "no difference shown": "#c9a227", "limit": "#8a8a8a"}


def draw(analysis: Analysis, path: Path, title: str) -> None:
    """Draw each speed-up with its interval; 1 is the sequential run with as many threads a process.

    Args:
        analysis: of the experiment.
        path: ``.html``, ``.png`` or ``.svg``.
        title: above the chart; below it stands the first conclusion.
    """
    said = next(iter(conclusions(analysis)), "")
    if path.suffix == ".html":
        _page(analysis, path, title, said)
    else:
        _image(analysis, path, title, said)


def points(analysis: Analysis) -> list[dict[str, Any]]:
    """What is drawn, in its order: a name, the speed-up, its interval where there is one, and what it is."""
    found = [(each, each.speed_up) for each in analysis.comparisons if isfinite(each.speed_up.estimate)]
    return [
        {
            "configuration": named(each.treatment),
            "speed-up": own.estimate,
            "low": own.low if own.known else own.estimate,
            "high": own.high if own.known else own.estimate,
            "kind": _kind(each),
        }
        for each, own in found
    ]


def _kind(each: Comparison) -> str:
    if not each.treatment.distributed:
        return "limit"
    if each.speed_up.low > 1:
        return "faster"
    return "slower" if each.speed_up.high < 1 else "no difference shown"


def _page(analysis: Analysis, path: Path, title: str, said: str) -> None:
    import altair  # noqa: PLC0415

    text = altair.TitleParams(title, subtitle=_lines(said), anchor="start", subtitlePadding=6)
    chart = speed_ups(analysis, _WIDTH).properties(title=text)
    chart.save(str(path), format="html", inline=True)


def speed_ups(analysis: Analysis, width: int) -> Any:
    """Each speed-up with its interval, as a chart of Altair without a title."""
    import altair  # noqa: PLC0415

    data = altair.Data(values=points(analysis))
    base = altair.Chart(data, width=width, height=altair.Step(32))
    kinds = altair.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))
    y = altair.Y("configuration:N", sort=None, title=None, axis=altair.Axis(labelLimit=420))
    colour = altair.Color("kind:N", scale=kinds, title=None)
    tips = ["configuration:N", *(altair.Tooltip(f"{name}:Q", format=".2f") for name in ("speed-up", "low", "high"))]
    axis = altair.X("low:Q", title="speed-up, with its 95 % interval", scale=altair.Scale(zero=True))
    intervals = base.mark_rule(strokeWidth=3).encode(y=y, x=axis, x2="high:Q", color=colour)
    marks = base.mark_point(filled=True, size=110).encode(y=y, x="speed-up:Q", color=colour, tooltip=tips)
    one = altair.Chart(altair.Data(values=[{"one": 1}])).mark_rule(strokeDash=[4, 4], color="#888").encode(x="one:Q")
    return altair.layer(one, intervals, marks)


def _image(analysis: Analysis, path: Path, title: str, said: str) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415

    drawn = points(analysis)
    figure = Figure(figsize=(9, 1.6 + 0.42 * len(drawn)), layout="constrained")
    axes = figure.subplots()
    for place, each in enumerate(drawn):
        colour = _COLOURS[str(each["kind"])]
        axes.plot([each["low"], each["high"]], [place, place], color=colour, linewidth=3, solid_capstyle="butt")
        axes.plot([each["speed-up"]], [place], "o", color=colour, markersize=8)
    axes.axvline(1, color="#555", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(drawn)), [str(each["configuration"]) for each in drawn])
    axes.set_ylim(len(drawn) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.set_xlabel("speed-up, with its 95 % interval")
    figure.suptitle("\n".join([title, *_lines(said)]), fontsize=10, x=0.01, ha="left")
    figure.savefig(path, dpi=150)


def _lines(text: str, width: int = 100) -> list[str]:
    import textwrap  # noqa: PLC0415

    return textwrap.wrap(text, width)
