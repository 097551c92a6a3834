"""``corro compile``: write the distributed program of a script."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.cli._plain import SCALING, TARGET, Option, read
from corro.cli._render import one_file, render_diff, render_plan, trains_nothing
from corro.cli._terminal import echo
from corro.compiler import Output, compile_file
from corro.errors import CompilationError, UsageError
from corro.plan import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import click

_EPILOG = """
\b
Examples:
  corro compile train.py                      writes train_ddp.py beside it
  corro compile train.py --to horovod         writes train_horovod.py
  corro compile train.py --diff               shows what would be changed
  corro compile train.py -o - | less          the program itself
  corro compile train.py --annotate           each new line ends with the rule that wrote it
  corro compile train.py --scaling weak       batch size per process kept, learning rate x processes
  corro compile train.ipynb                   writes train_ddp.ipynb; with -o train_ddp.py a script

What is asked for (program, diff, JSON) goes to standard output, what is said about it to standard error.

\b
Exit status:
  0  converted, or distributed already (nothing is written then)
  1  refused, nothing to convert, or not Python (nothing is written)
  2  wrong usage, or a file that cannot be read or written
"""

NOTEBOOK = ".ipynb"
_HOW_TO_RUN = "To train on N processes: corro run {} -n N; or write a script with -o FILE.py and start that."


OPTIONS = (
    TARGET,
    SCALING,
    Option("where", ("-o", "--output"), "Where to write it; - is standard output.", metavar="FILE"),
    Option("force", ("-f", "--force"), "Replace an output file that is there and differs.", is_flag=True),
    Option("diff", ("--diff",), "Show the changes as a unified diff; write no file.", is_flag=True),
    Option("as_json", ("--json",), "Print the plan and the program as JSON; write no file.", is_flag=True),
    Option("annotate", ("--annotate",), "End inserted and changed lines with '# corro: RULE'.", is_flag=True),
    Option(
        "sync_batchnorm", ("--sync-batchnorm",), "Batch normalisation over the global batch (GPUs only).", is_flag=True
    ),
)


def command() -> click.Command:
    """The command as click sees it."""
    import click

    from corro.cli._options import declared

    function: Callable[..., Any] = convert
    for option in reversed(OPTIONS):
        function = declared(option)(function)
    return click.command("compile", epilog=_EPILOG)(click.argument("script", type=click.Path())(function))


def run_plainly(arguments: Sequence[str]) -> bool:
    """Convert a script where click is not needed to understand the arguments; whether that was done."""
    parameters = read(arguments, OPTIONS)
    if parameters is None:
        return False
    convert(**parameters)
    sys.stdout.flush()
    return True


def convert(
    *,
    script: str,
    target: str | None,
    scaling: str,
    where: str | None,
    force: bool,
    diff: bool,
    as_json: bool,
    annotate: bool,
    sync_batchnorm: bool,
) -> None:
    """Convert SCRIPT, or a notebook, into a program that trains on several processes.

    The script itself is never changed: the program is written beside it. A script that cannot be converted faithfully
    is refused, with the place, the reason and what to do.
    """
    if (where is not None) + diff + as_json > 1:
        raise UsageError("-o, --diff and --json exclude each other.")
    output = compile_file(script, target or "", scaling, sync_batchnorm=sync_batchnorm, annotate=annotate)
    one_file(output)
    if as_json:
        _print_json(output)
    if output.text is not None and not as_json:
        _hand_over(output, output.text, where, force=force, diff=diff)
    _conclude(output)


def _hand_over(output: Output, text: str, where: str | None, *, force: bool, diff: bool) -> None:
    path = Path(where) if where is not None else default_output(output)
    if diff:
        _print_diff(output, text, path)
    elif where == "-":
        sys.stdout.buffer.write(output.source.encode(text))
    else:
        written = write(output, text, path, force=force)
        echo(f"{'wrote' if written else 'up to date:'} {path}", sys.stderr)
    render_plan(output, sys.stderr)
    if path.suffix == NOTEBOOK and not diff and where != "-":
        echo(f"{path} is still one process when it is run. {_HOW_TO_RUN.format(output.source.path)}", sys.stderr)


def _conclude(output: Output) -> None:
    """Say what came of a script that was not converted.

    Raises:
        CompilationError: it was refused, or trains nothing.
    """
    name, outcome = output.source.path, output.plan.outcome
    if outcome is Outcome.ALREADY_DISTRIBUTED:
        render_plan(output, sys.stderr)
    elif outcome is Outcome.REFUSED:
        render_plan(output, sys.stderr)
        raise CompilationError(f"{name} cannot be converted.", advice="Nothing was written.")
    elif outcome is Outcome.NOTHING:
        render_plan(output, sys.stderr)
        raise CompilationError(trains_nothing(output), advice="Nothing was written.")


# ---------------------------------------------------------------------- the forms of an output


def _print_json(output: Output) -> None:
    import json

    told = output.plan.to_dict(output.source, [module.source for module in output.modules])
    modules = {str(module.source.path): module.text for module in output.modules}
    echo(json.dumps({**told, "text": output.text, **({"modules": modules} if modules else {})}, indent=2), sys.stdout)


def _print_diff(output: Output, text: str, path: Path) -> None:
    """On a terminal with colours; elsewhere as bytes that ``patch`` takes, in the encoding of the script."""
    diff = unified_diff(output, text, path)
    if sys.stdout.isatty():
        render_diff(diff, sys.stdout)
        return
    *names, changes = diff.split("\n", 2)
    heading = "".join(f"{name}\n" for name in names)
    sys.stdout.buffer.write(os.fsencode(heading) + changes.encode(output.source.encoding))


def unified_diff(output: Output, text: str, path: Path) -> str:
    """From the script to the program."""
    import difflib

    bom = "\ufeff" if output.source.bom else ""
    old, new = (re.split(r"(?<=\n)(?!\Z)", bom + each) for each in (output.source.text, text))
    lines = difflib.unified_diff(old, new, str(output.source.path), str(path))
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


# ---------------------------------------------------------------------- files


def default_output(output: Output) -> Path:
    """Beside the script: ``train.py`` becomes ``train_ddp.py``."""
    script = output.source.path
    return script.with_name(f"{script.stem}_{output.plan.target}{script.suffix}")


def write(output: Output, text: str, path: Path, *, force: bool) -> bool:
    """Write the program; whether that was needed. Others see all of the file or nothing of it.

    Raises:
        UsageError: it would replace the script, or another file without ``force``, or cannot be written.
    """
    if path.suffix == NOTEBOOK != output.source.path.suffix:
        raise UsageError(f"{path} would be a notebook, and {output.source.path} is none.", advice="Name it FILE.py.")
    content = output.source.encode(text, path.suffix)
    try:
        if path.exists() and not _may_replace(path, output.source.path, content, force=force):
            return False
        _write_atomically(Path(os.path.realpath(path)), content, like=output.source.path)
    except OSError as error:
        raise UsageError(
            f"{path} cannot be written: {error.strerror or error}.", advice="Choose another place with -o FILE."
        ) from error
    return True


def _may_replace(path: Path, script: Path, content: bytes, *, force: bool) -> bool:
    """Whether a file that is there has to be replaced."""
    if path.samefile(script):
        raise UsageError(f"{path} is the script itself, which is never written over.", advice="Choose another -o FILE.")
    if not path.is_file():
        kind = "a directory" if path.is_dir() else "no regular file"
        raise UsageError(f"{path} is {kind}.", advice="Name a file, or - for standard output.")
    if path.read_bytes() == content:
        return False
    if not force:
        raise UsageError(f"{path} exists and differs.", advice="Replace it with --force, or choose another -o FILE.")
    return True


def _write_atomically(path: Path, content: bytes, like: Path) -> None:
    """Write a file with the permissions of another one."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        scratch.write_bytes(content)
        scratch.chmod(like.stat().st_mode & 0o777)
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
