"""Times of single operations as a picture: a page by Altair, or an image by matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from corro.bench.device import Timing

_TITLE = "corro bench device"


def draw(timings: Sequence[Timing], path: Path) -> None:
    """Draw the time of each operation by its size, both on logarithmic axes.

    Args:
        timings: to be drawn; those without a time are left out.
        path: ``.html``, ``.png`` or ``.svg``.
    """
    drawn = points(timings)
    if path.suffix == ".html":
        _page(drawn, path)
    else:
        _image(drawn, path)


def points(timings: Sequence[Timing]) -> list[dict[str, Any]]:
    """What is drawn: the operation, its size, its time in seconds, and the name of the line it is on."""
    return [
        {"operation": each.operation, "size": each.size, "seconds": each.seconds, "on": line_of(each)}
        for each in timings
        if not each.problem
    ]


def line_of(timing: Timing) -> str:
    """The device, its threads, the type of the numbers, and how it was timed where that is not as usual."""
    threads = f"{timing.threads} thread{'s' * (timing.threads > 1)}" if timing.threads else ""
    how = "" if timing.how == "synchronised" else timing.how
    return ", ".join(filter(None, (timing.device, threads, timing.dtype, how)))


def _page(drawn: list[dict[str, Any]], path: Path) -> None:
    import altair  # noqa: PLC0415

    base = altair.Chart(altair.Data(values=drawn), width=520, height=300)
    logarithmic = altair.Scale(type="log")
    chart = base.mark_line(point=True).encode(
        x=altair.X("size:Q", scale=logarithmic, title="size"),
        y=altair.Y("seconds:Q", scale=logarithmic, title="seconds"),
        color=altair.Color("on:N", title=None, legend=altair.Legend(labelLimit=360)),
        tooltip=["on:N", "size:Q", altair.Tooltip("seconds:Q", format=".3g")],
    )
    rows = chart.facet(row=altair.Row("operation:N", title=None, sort=None)).resolve_scale(x="independent")
    rows.properties(title=_TITLE).save(str(path), format="html", inline=True)


def _image(drawn: list[dict[str, Any]], path: Path) -> None:
    from matplotlib.figure import Figure  # noqa: PLC0415

    operations = list(dict.fromkeys(str(each["operation"]) for each in drawn))
    figure = Figure(figsize=(9, 1 + 3.4 * max(1, len(operations))), layout="constrained")
    panels = figure.subplots(max(1, len(operations)), squeeze=False)
    for axes, operation in zip(panels[:, 0], operations, strict=False):
        own = [each for each in drawn if each["operation"] == operation]
        for line in dict.fromkeys(str(each["on"]) for each in own):
            pairs = [(each["size"], each["seconds"]) for each in own if each["on"] == line]
            axes.loglog(*zip(*pairs, strict=True), marker="o", label=line)
        axes.set_title(operation)
        axes.set_xlabel("size")
        axes.set_ylabel("seconds")
        axes.legend(fontsize=7)
    figure.suptitle(_TITLE, fontsize=10, x=0.01, ha="left")
    figure.savefig(path, dpi=150)
