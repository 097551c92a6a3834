"""Shared by the benchmarks: tables, medians, where figures are written."""

from __future__ import annotations

import os
import platform
import re
import statistics
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "pytorch"
FIGURES = ROOT / "docs" / "benchmarks.md"


def spread(values: Sequence[float], form: str = "{:.2f}") -> str:
    """Minimum / median / maximum."""
    return " / ".join(form.format(value) for value in (min(values), statistics.median(values), max(values)))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def machine() -> str:
    """What the figures were measured on, in words."""
    load = os.getloadavg()[0]
    cores = len(os.sched_getaffinity(0))
    return f"Python {platform.python_version()}, {platform.machine()}, {cores} cores, load before {load:.1f}"


def publish(name: str, title: str, text: str, write: bool, page: Path = FIGURES) -> None:
    """Print a section and, if asked, put it into a page in place of the one with the same name."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    section = f"{begin}\n## {title}\n\n{text.strip()}\n{end}"
    print(f"## {title}\n\n{text.strip()}\n")
    if not write:
        return
    old = page.read_text() if page.exists() else "# Benchmarks\n\nMade by the programs in `benchmarks/`.\n"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    new = pattern.sub(lambda _: section, old) if pattern.search(old) else f"{old.rstrip()}\n\n{section}\n"
    page.parent.mkdir(exist_ok=True)
    page.write_text(new)
