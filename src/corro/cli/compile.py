"""``corro compile``: write the distributed program of a script."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.cli._files import cannot_be_written, write
from corro.cli._plain import SCALING, TARGET, Option, read
from corro.cli._render import render_diff, render_plan, trains_nothing
from corro.cli._terminal import echo
from corro.compiler import Options, Output, compile_file
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
  corro compile train.py --diff               shows what would be changed: a patch that git apply takes
  corro compile train.py -o - | less          the program itself
  corro compile train.py -o out/              of one file: writes out/train_ddp.py
  corro compile train.py --annotate           each new line ends with the rule that wrote it
  corro compile train.py --scaling weak       batch size per process kept, learning rate x processes
  corro compile train.py --observe -- --lr 1  first runs it for a few steps, to see what its text does not say
  corro compile train.py --in-place           changes train.py itself, in a clean work tree of Git
  corro compile train.ipynb                   writes train_ddp.ipynb; with -o train_ddp.py a script

Where project modules are changed, too, the program is a folder, train_ddp/ or that of -o, with the changed files and
links to all others of the project.

What is asked for (program, diff, JSON) goes to standard output, what is said about it to standard error.

\b
Exit status:
  0  converted, or distributed already (nothing is written then)
  1  refused, to be verified, nothing to convert, or not Python (nothing is written)
  2  wrong usage, or a file that cannot be read or written
"""

NOTEBOOK = ".ipynb"
_HOW_TO_RUN = "To train on N processes: corro run {} -n N; or write a script with -o FILE.py and start that."


OPTIONS = (
    TARGET,
    SCALING,
    Option("where", ("-o", "--output"), "Where to write it; - is standard output.", metavar="FILE|DIR"),
    Option("force", ("-f", "--force"), "Replace an output that is there and differs.", is_flag=True),
    Option("diff", ("--diff",), "Show the changes as a patch; write no file.", is_flag=True),
    Option("as_json", ("--json",), "Print the plan and the program as JSON; write no file.", is_flag=True),
    Option("in_place", ("--in-place",), "Change SCRIPT and its modules themselves, in a clean Git tree.", is_flag=True),
    Option("annotate", ("--annotate",), "End inserted and changed lines with '# corro: RULE'.", is_flag=True),
    Option("observe", ("--observe",), "First run SCRIPT, to see what its text does not say.", is_flag=True),
    Option("assume", ("--assume",), "Write a program that is to be verified, too.", is_flag=True),
    Option(
        "sync_batchnorm", ("--sync-batchnorm",), "Batch normalisation over the global batch (GPUs only).", is_flag=True
    ),
)


def command() -> click.Command:
    """The command as click sees it."""
    import click

    from corro.cli._options import OfScript, declared

    function: Callable[..., Any] = convert
    for option in reversed(OPTIONS):
        function = declared(option)(function)
    function = click.argument("arguments", nargs=-1, type=click.UNPROCESSED)(function)
    function = click.argument("script", type=click.Path())(function)
    return click.command("compile", cls=OfScript, epilog=_EPILOG)(function)


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
    in_place: bool,
    annotate: bool,
    observe: bool,
    assume: bool,
    sync_batchnorm: bool,
    arguments: tuple[str, ...] = (),
) -> None:
    """Convert SCRIPT, or a notebook, into a program that trains on several processes.

    The script itself stays as it is: the program is written beside it. A script that cannot be converted faithfully
    is refused, with the place, the reason and what to do. Where that rests on something that the text does not show,
    it is written once `corro verify` has shown it; or a run with ARGUMENTS shows what it is: --observe.
    """
    if arguments and not observe:
        raise UsageError(
            f"{arguments[0]} is one argument too many.", advice="Arguments of the script go with --observe, after --."
        )
    if (where is not None) + diff + as_json + in_place > 1:
        raise UsageError("-o, --diff, --json and --in-place exclude each other.")
    options: dict[str, Any] = {"sync_batchnorm": sync_batchnorm, "annotate": annotate}
    output = compile_file(script, target or "", scaling, assume=assume, **options)
    if observe:
        from corro.cli._observed import observed

        output = observed(output, Options(target or "", scaling, assume=assume, **options), arguments)
        options["observed"] = output.plan.observed
    if output.plan.outcome is Outcome.TO_VERIFY and not assume:
        from corro.cli._assumed import as_verified

        output = as_verified(output, lambda: compile_file(script, target or "", scaling, assume=True, **options))
    if as_json:
        _print_json(output)
    elif output.text is not None:
        _must_be_written_once(output)
        if diff:
            _print_diff(output)
        elif in_place:
            _change_in_place(output, output.text)
        elif where == "-":
            sys.stdout.buffer.write(_only_text(output, output.text, where))
        elif output.modules:
            _write_tree(output, where, force=force)
        else:
            _write_file(output, output.text, where, force=force)
        render_plan(output, sys.stderr)
    _conclude(output)


def _must_be_written_once(output: Output) -> None:
    """See that no file has two texts: one as it is run and another one as it is imported.

    Raises:
        CompilationError: the script is imported by a module, too, and changed there.
    """
    script = output.source.path
    if any(module.source.path == script.resolve() for module in output.modules):
        raise CompilationError(
            f"{script} is run and also imported by one of its modules, and the two would be changed differently.",
            advice="Move what is imported from it into a module of its own; `corro run` takes it as it is.",
        )


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
    elif outcome is Outcome.TO_VERIFY and output.text is None:
        render_plan(output, sys.stderr)
        raise CompilationError(
            f"{name} can be converted if what is assumed above holds.",
            advice=f"Test it: corro verify {name} -n 2, or write it untested: --assume. Nothing was written.",
        )
    elif outcome is Outcome.NOTHING:
        render_plan(output, sys.stderr)
        raise CompilationError(trains_nothing(output), advice="Nothing was written.")


# ---------------------------------------------------------------------- the forms of an output


def _print_json(output: Output) -> None:
    import json

    told = output.plan.to_dict(output.source, [module.source for module in output.modules])
    modules = {str(module.source.path): module.text for module in output.modules}
    echo(json.dumps({**told, "text": output.text, **({"modules": modules} if modules else {})}, indent=2), sys.stdout)


def _print_diff(output: Output) -> None:
    """On a terminal with colours; elsewhere as bytes that ``git apply`` takes, in the encodings of the files."""
    from corro.patch import patch

    for diff, source in patch(output):
        if sys.stdout.isatty():
            render_diff(diff, sys.stdout)
            continue
        *names, changes = diff.split("\n", 2)
        heading = "".join(f"{name}\n" for name in names)
        sys.stdout.buffer.write(os.fsencode(heading) + changes.encode(source.encoding))


def _only_text(output: Output, text: str, where: str) -> bytes:
    """The program as one file.

    Raises:
        UsageError: it is several files.
    """
    if output.modules:
        names = ", ".join(module.source.path.name for module in output.modules)
        raise UsageError(
            f"the program is no single file: {names} would be changed, too. {where} cannot take it.",
            advice=f"Name a folder: -o {default_folder(output).name}/, or show all changes with --diff.",
        )
    return output.source.encode(text, "" if where == "-" else Path(where).suffix)


# ---------------------------------------------------------------------- files


def default_output(output: Output) -> Path:
    """Beside the script: ``train.py`` becomes ``train_ddp.py``."""
    script = output.source.path
    return script.with_name(f"{script.stem}_{output.plan.target}{script.suffix}")


def default_folder(output: Output) -> Path:
    """Beside the script: for ``train.py`` it is ``train_ddp/``."""
    return default_output(output).with_suffix("")


def _write_file(output: Output, text: str, where: str | None, *, force: bool) -> None:
    """Write a program of one file: into the folder or the file that the user names."""
    path = default_output(output) if where is None else Path(where)
    if where is not None and (where.endswith(os.sep) or path.is_dir()):
        path = path / default_output(output).name
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise cannot_be_written(path, error) from error
    script = output.source.path
    if path.suffix == NOTEBOOK != script.suffix:
        raise UsageError(f"{path} would be a notebook, and {script} is none.", advice="Name it FILE.py.")
    written = write(path, _only_text(output, text, str(path)), script, force=force)
    echo(f"{'wrote' if written else 'up to date:'} {path}", sys.stderr)
    if path.suffix == NOTEBOOK:
        _tell_of_notebook(path, script)


def _write_tree(output: Output, where: str | None, *, force: bool) -> None:
    """Write a program of several files."""
    from corro.cli._tree import how_to_start, tree_of

    folder = default_folder(output) if where is None else Path(where)
    if where is not None and folder.suffix in {".py", NOTEBOOK} and not where.endswith(os.sep) and not folder.is_dir():
        _only_text(output, "", where)
    tree = tree_of(output, folder)
    written = tree.write(force=force)
    echo(f"{'wrote' if written else 'up to date:'} {folder}{os.sep}", sys.stderr)
    script = output.source.path
    if script.suffix == NOTEBOOK:
        _tell_of_notebook(folder / script.name, script)
    else:
        echo(how_to_start(output, tree, folder), sys.stderr)


def _tell_of_notebook(path: Path, script: Path) -> None:
    echo(f"{path} is still one process when it is run. {_HOW_TO_RUN.format(script)}", sys.stderr)


def _change_in_place(output: Output, text: str) -> None:
    from corro.cli._in_place import change

    script = output.source.path.resolve()
    modules = {module.source.path: module.encode() for module in output.modules}
    contents = {**modules, script: output.source.encode(text, script.suffix)}
    change(contents)
    echo(f"changed {', '.join(sorted(os.path.relpath(path) for path in contents))}", sys.stderr)
