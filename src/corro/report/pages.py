"""The report in its forms: HTML, Markdown, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro import __version__
from corro.bench.plain import as_dict, known
from corro.report.changes import changes_of
from corro.report.chapters import Chapter, chapter_of
from corro.writing import write_atomically

if TYPE_CHECKING:
    from corro.report.found import Found

FORMS = (".html", ".md", ".json", ".csv")
_TEMPLATES = {".html": "report.html", ".md": "report.md"}


def write(found: Sequence[Found], path: Path) -> tuple[Path, ...]:
    """Write a report in the form that its name says; the files that were written.

    Args:
        found: what there is of each script.
        path: one of ``FORMS``. The figures of Markdown are files beside it.

    Raises:
        OSError: a file cannot be written.
    """
    written = {path: _content(found, path)} if path.suffix in (".json", ".csv") else _page(found, path)
    for file, content in written.items():
        write_atomically(file, content.encode())
    return tuple(written)


def _content(found: Sequence[Found], path: Path) -> str:
    return json.dumps(plain(found), indent=2) if path.suffix == ".json" else _runs(found)


def plain(found: Sequence[Found]) -> dict[str, Any]:
    """Everything as plain values; of traces the summaries."""
    scripts = [
        {
            "script": each.script,
            "experiments": [
                {
                    **as_dict(experiment.analysis),
                    "described": experiment.described,
                    "machine": experiment.machine,
                    "begun": experiment.begun,
                    "runs": [asdict(row) for row in experiment.rows],
                }
                for experiment in each.experiments
            ],
            "traces": [told["about"] for told in each.traces],
            "verifications": each.verdicts,
            "profiles": [asdict(profile) for profile in each.profiles],
            "changes": [asdict(changed) for changed in changes_of(each)],
        }
        for each in found
    ]
    told: dict[str, Any] = known({"corro": __version__, "scripts": scripts})
    return told


def _runs(found: Sequence[Found]) -> str:
    """A row for each run of each experiment; those of block 0 came first, and are not analysed."""
    rows = [
        {
            "script": each.script,
            "block": row.block,
            "target": row.treatment.target,
            "processes": row.treatment.processes,
            "threads": row.treatment.threads,
            "scaling": row.treatment.scaling,
            **dict(row.treatment.options),
            **row.responses,
            **row.numbers,
            "failed": row.failed,
        }
        for each in found
        for experiment in each.experiments
        for row in experiment.rows
    ]
    names = dict.fromkeys(name for row in rows for name in row if name != "failed")
    text = io.StringIO()
    writer = csv.DictWriter(text, [*names, "failed"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _page(found: Sequence[Found], path: Path) -> dict[Path, str]:
    """The page, and of Markdown its figures."""
    import jinja2  # noqa: PLC0415

    chapters = [chapter_of(each) for each in found]
    html = path.suffix == ".html"
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("corro.report"),
        autoescape=html,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["cell"] = _cell
    drawn: dict[Path, str] = {}

    def figure(each: Any, chapter: Chapter) -> str:
        if html:
            return str(each.svg())
        number = f"{chapters.index(chapter) + 1}-" if len(chapters) > 1 else ""
        file = path.with_name(f"{path.stem}-{number}{each.name}.svg")
        drawn[file] = each.svg(alone=True)
        return file.name

    text = environment.get_template(_TEMPLATES[path.suffix]).render(
        chapters=chapters, figure=figure, version=__version__, today=date.today().isoformat(), title=_title(chapters)
    )
    return {**drawn, path: text}


def _title(chapters: Sequence[Chapter]) -> str:
    return f"Report on {', '.join(each.script for each in chapters)}"


def _cell(text: str) -> str:
    """Text as a cell of Markdown has it."""
    return text.replace("|", "\\|").replace("\n", " ")
