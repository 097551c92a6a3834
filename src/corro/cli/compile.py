"""``corro compile``: write the distributed program of a script."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corro.classes import dataclass, replace
from corro.cli._files import cannot_be_written, write
from corro.cli._plain import BUCKET_MB, COMPRESSION, SCALING, TARGET, UNEVEN, Option, read
from corro.cli._render import counted_refusals, effort, render_diff, render_plan, trains_nothing
from corro.cli._terminal import echo
from corro.compiler import Options, Output, compile_source
from corro.errors import CompilationError, CorroError, UsageError
from corro.plan import Outcome
from corro.source import SourceFile, read_source

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
  cat train.py | corro compile -              the same, of what comes through a pipe
  corro compile *.py -o out/                  several scripts: writes out/train_ddp.py and so on
  corro compile train.py --watch              again each time that train.py changes
  corro compile train.py --annotate           each new line ends with the rule that wrote it
  corro compile train.py --scaling weak       batch size per process kept, learning rate x processes
  corro compile train.py --observe -- --lr 1  first runs it for a few steps, to see what its text does not say
  corro compile train.py --in-place           changes train.py itself, in a clean work tree of Git
  corro compile train.ipynb                   writes train_ddp.ipynb; with -o train_ddp.py a script

Where project modules are changed, too, the program is a folder, train_ddp/ or that of -o, with the changed files and
links to all others of the project. What is not given here may stand in pyproject.toml: see corro init --help.

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
    Option("watch", ("-w", "--watch"), "Convert again when SCRIPT changes, and show what changed.", is_flag=True),
    Option("annotate", ("--annotate",), "End inserted and changed lines with '# corro: RULE'.", is_flag=True),
    Option("observe", ("--observe",), "First run SCRIPT, to see what its text does not say.", is_flag=True),
    Option("assume", ("--assume",), "Write a program that is to be verified, too.", is_flag=True),
    Option(
        "sync_batchnorm", ("--sync-batchnorm",), "Batch normalisation over the global batch (GPUs only).", is_flag=True
    ),
    UNEVEN,
    COMPRESSION,
    BUCKET_MB,
)


@dataclass(frozen=True)
class Request:
    """What is asked for: the options, as they are called above."""

    target: str | None
    scaling: str | None
    where: str | None
    force: bool
    diff: bool
    as_json: bool
    in_place: bool
    watch: bool
    annotate: bool
    observe: bool
    assume: bool
    sync_batchnorm: bool
    uneven: bool
    compression: str | None
    bucket_mb: str | None
    arguments: tuple[str, ...] = ()


def command() -> click.Command:
    """The command as click sees it."""
    import click

    from corro.cli._options import OfScripts, declared

    function: Callable[..., Any] = convert
    for option in reversed(OPTIONS):
        function = declared(option)(function)
    function = click.argument("scripts", nargs=-1, required=True, type=click.Path(), metavar="SCRIPT...")(function)
    return click.command("compile", cls=OfScripts, epilog=_EPILOG)(function)


def run_plainly(arguments: Sequence[str]) -> bool:
    """Convert scripts where click is not needed to understand the arguments; whether that was done."""
    parameters = read(arguments, OPTIONS)
    if parameters is None:
        return False
    convert(**parameters)
    sys.stdout.flush()
    return True


def convert(*, scripts: tuple[str, ...], **options: Any) -> None:
    """Convert each SCRIPT, or notebook, into a program that trains on several processes.

    The script itself stays as it is: the program is written beside it. A script that cannot be converted faithfully
    is refused, with the place, the reason and what to do. Where that rests on something that the text does not show,
    it is written once `corro verify` has shown it; or a run with ARGUMENTS shows what it is: --observe.
    """
    request = Request(**options)
    _must_go_together(scripts, request)
    if request.watch:
        from corro.cli._watch import watch

        watch(scripts[0], lambda script, own: _convert(script, replace(request, force=request.force or own)))
    elif len(scripts) == 1:
        _convert_one(scripts[0], request)
    else:
        _convert_all(scripts, request)


def _must_go_together(scripts: Sequence[str], request: Request) -> None:
    """See that the options do.

    Raises:
        UsageError: they do not.
    """
    if request.arguments and not request.observe:
        raise UsageError(
            f"{request.arguments[0]} is one argument too many.",
            advice="Arguments of the script go with --observe, after --.",
        )
    if (request.where is not None) + request.diff + request.as_json + request.in_place > 1:
        raise UsageError("-o, --diff, --json and --in-place exclude each other.")
    if request.watch and (len(scripts) > 1 or request.as_json or request.in_place or "-" in (request.where, *scripts)):
        raise UsageError("--watch takes one script, and writes its program or shows the --diff.")
    where = request.where
    if len(scripts) > 1 and where is not None and not where.endswith(os.sep) and not Path(where).is_dir():
        raise UsageError(
            f"{where} cannot take the programs of {len(scripts)} scripts.", advice=f"Name a folder: -o {where}/"
        )


def _convert_one(script: str, request: Request) -> None:
    try:
        output = _convert(script, request)
    except CorroError as error:
        if request.as_json:
            _print_json([_failed(script, error)], alone=True)
        raise
    if request.as_json:
        _print_json([_told(output)], alone=True)
    _conclude(output)


def _convert_all(scripts: Sequence[str], request: Request) -> None:
    """Convert one script after the other; the exit status is that of the first that could not be."""
    told: list[dict[str, Any]] = []
    outcomes: list[str] = []
    status = 0
    for script in scripts:
        output = None
        try:
            output = _convert(script, request)
            _conclude(output)
        except CorroError as error:
            echo(f"corro: {error}", sys.stderr)
            status = status or error.exit_status
            if output is None:
                told.append(_failed(script, error))
                outcomes.append(error.stage)
        if output is not None:
            told.append(_told(output) if request.as_json else {})
            outcomes.append(output.plan.outcome.value)
    if request.as_json:
        _print_json(told)
    counted = ", ".join(f"{outcomes.count(each)} {each}" for each in dict.fromkeys(outcomes))
    echo(f"corro: {len(scripts)} scripts: {counted}.", sys.stderr)
    if status:
        sys.exit(status)


def _convert(script: str, request: Request) -> Output:
    """Convert a script and write what is asked for."""
    source, where = (read_source(script), request.where) if script != "-" else (_standard_input(), request.where or "-")
    if script == "-" and request.in_place:
        raise UsageError("standard input cannot be changed in place.")
    options = _options(script, request)
    output = compile_source(source, options)
    if request.observe:
        from corro.cli._observed import observed

        output = observed(output, options, request.arguments)
        options = replace(options, observed=output.plan.observed)
    if output.plan.outcome is Outcome.TO_VERIFY and not options.assume:
        from corro.cli._assumed import as_verified

        output = as_verified(output, lambda: compile_source(source, replace(options, assume=True)))
    if output.text is not None and not request.as_json:
        start = _write(output, request, where)
        render_plan(output, sys.stderr)
        if start:
            echo(start, sys.stderr)
    return output


def _options(script: str, request: Request) -> Options:
    """The options for the compiler: those of the command line, and then those of the project."""
    from corro.cli._settings import settings_of

    own = settings_of(script)
    return own.options(
        target=request.target,
        scaling=request.scaling,
        sync_batchnorm=request.sync_batchnorm,
        uneven=request.uneven,
        compression=request.compression,
        bucket_mb=request.bucket_mb,
        annotate=request.annotate or own.annotate,
        assume=request.assume or own.assume,
    )


def _standard_input() -> SourceFile:
    """A script that comes through a pipe; its modules are looked for in the current folder."""
    return SourceFile.from_bytes(sys.stdin.buffer.read(), "stdin.py")


def _write(output: Output, request: Request, where: str | None) -> str:
    """Write a program as it is asked for; the answer is what is said of starting it."""
    if request.diff:
        _print_diff(output)
    elif request.in_place:
        return _change_in_place(output)
    elif where == "-":
        sys.stdout.buffer.write(_only_text(output, where))
    elif output.modules:
        return _write_tree(output, where, force=request.force)
    else:
        return _write_file(output, where, force=request.force)
    return ""


def _conclude(output: Output) -> None:
    """Say what came of a script that was not converted.

    Raises:
        CompilationError: it was refused, or trains nothing.
    """
    name, outcome = output.source.path, output.plan.outcome
    if outcome is Outcome.ALREADY_DISTRIBUTED:
        from corro.cli._start import how_to_start_distributed

        render_plan(output, sys.stderr)
        echo(how_to_start_distributed(output), sys.stderr)
    elif outcome is Outcome.REFUSED:
        render_plan(output, sys.stderr)
        raise CompilationError(
            f"{name} cannot be converted: {counted_refusals(output)}.",
            advice=f"{effort(output)} Nothing was written.",
        )
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


def _print_json(told: Sequence[dict[str, Any]], *, alone: bool = False) -> None:
    """One object, or a list of them where several scripts are converted."""
    import json

    echo(json.dumps(told[0] if alone else told, indent=2), sys.stdout)


def _told(output: Output) -> dict[str, Any]:
    told = output.plan.to_dict(output.source, [module.source for module in output.modules])
    modules = {str(module.source.path): module.text for module in output.modules}
    start = {}
    if output.text is not None:
        from corro.cli._start import launcher

        start = {"start": launcher(output).command("PROGRAM")}
    return {**told, **start, "text": output.text, **({"modules": modules} if modules else {})}


def _failed(script: str, error: CorroError) -> dict[str, Any]:
    """What is said of a script that is no Python, or cannot be read: the outcome is the kind of the error."""
    at = {"at": {"line": error.place.line, "column": error.place.column}} if error.place else {}
    return {"script": script, "outcome": error.stage, "message": error.message, "advice": error.advice, **at}


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


def _only_text(output: Output, where: str) -> bytes:
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
    return output.encode("" if where == "-" else Path(where).name)


# ---------------------------------------------------------------------- files


def default_output(output: Output) -> Path:
    """Beside the script: ``train.py`` becomes ``train_ddp.py``."""
    script = output.source.path
    return script.with_name(f"{script.stem}_{output.plan.target}{script.suffix}")


def default_folder(output: Output) -> Path:
    """Beside the script: for ``train.py`` it is ``train_ddp/``."""
    return default_output(output).with_suffix("")


def _write_file(output: Output, where: str | None, *, force: bool) -> str:
    """Write a program of one file: into the folder or the file that the user names; how it is started."""
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
    written = write(path, _only_text(output, str(path)), script, force=force)
    echo(f"{'wrote' if written else 'up to date:'} {path}", sys.stderr)
    if path.suffix == NOTEBOOK:
        return _of_notebook(path, script)
    from corro.cli._start import how_to_start

    return how_to_start(output, path)


def _write_tree(output: Output, where: str | None, *, force: bool) -> str:
    """Write a program of several files; how it is started."""
    from corro.cli._tree import how_to_start, tree_of

    folder = default_folder(output) if where is None else Path(where)
    if where is not None and folder.suffix in {".py", NOTEBOOK} and not where.endswith(os.sep) and not folder.is_dir():
        _only_text(output, where)
    tree = tree_of(output, folder)
    written = tree.write(force=force)
    echo(f"{'wrote' if written else 'up to date:'} {folder}{os.sep}", sys.stderr)
    script = output.source.path
    if script.suffix == NOTEBOOK:
        return _of_notebook(folder / script.name, script)
    return how_to_start(output, tree, folder)


def _of_notebook(path: Path, script: Path) -> str:
    return f"{path} is still one process when it is run. {_HOW_TO_RUN.format(script)}"


def _change_in_place(output: Output) -> str:
    from corro.cli._in_place import change
    from corro.cli._start import how_to_start

    script = output.source.path.resolve()
    modules = {module.source.path: module.encode() for module in output.modules}
    contents = {**modules, script: output.encode(script.name)}
    change(contents)
    echo(f"changed {', '.join(sorted(os.path.relpath(path) for path in contents))}", sys.stderr)
    return how_to_start(output, script) if script.suffix != NOTEBOOK else ""
