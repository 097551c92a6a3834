"""``corro report``: one page of what was measured and verified of a script."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from corro.cli._files import cannot_be_written
from corro.cli._help import summary as summary_of
from corro.cli._terminal import echo
from corro.errors import UsageError

_EPILOG = """
\b
Examples:
  corro report train.py                     all results of train.py in this folder; writes train_report.html
  corro report train.py -o docs/speed.md    Markdown, with its figures beside it
  corro report train.py -o runs.csv         a row for each run of corro bench; .json has everything
  corro report train_bench.sqlite trace.json
                                            these results only

Of a script these are found by their names: train_bench.sqlite of corro bench, train_trace.json of corro trace,
train_forecast.json of corro forecast, and train_verify.json of corro verify -o train_verify.json; a trace of another
engine as train_trace_horovod.json. The page needs nothing from the net. Nothing is run; the script is compiled once
more, to show what is changed and why. Needs: pip install "corro[bench]"
"""


@click.command("report", epilog=_EPILOG, help=summary_of("report"))
@click.argument("names", metavar="SCRIPT|FILE...", nargs=-1, required=True, type=click.Path())
@click.option("-o", "--output", type=click.Path(path_type=Path), help="FILE.html, .md, .json or .csv.")
def command(names: tuple[str, ...], output: Path | None) -> None:
    """See above."""
    from corro.report import must_have_libraries

    must_have_libraries()
    from corro.report.found import found
    from corro.report.pages import FORMS, write

    path = output or Path(f"{Path(names[0]).stem}_report.html")
    if path.suffix not in FORMS:
        raise UsageError(f"-o {path}: it can be {', '.join(FORMS[:-1])} or {FORMS[-1]}.")
    scripts = found(names, Path.cwd())
    if path.suffix == ".csv" and not any(each.experiments for each in scripts):
        raise UsageError(
            f"-o {path}: there are no runs of corro bench, which CSV has a row for each of.",
            advice="Choose .html, .md or .json.",
        )
    if path.resolve() in {Path(name).resolve() for name in names}:
        raise UsageError(f"-o {path} is one of the files that are reported.", advice="Choose another name.")
    try:
        written = write(scripts, path)
    except OSError as error:
        raise cannot_be_written(path, error) from error
    for file in written:
        echo(f"corro: wrote {file}", sys.stderr)
