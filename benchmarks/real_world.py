"""What Corro does with other people's training scripts: compile them all, and run those that come with a command.

    python benchmarks/real_world.py --repositories FOLDER [--write]

FOLDER has a clone of each repository that `real_world.toml` names (bare or not), as ``owner+name``; the commands that
make those that are missing are printed. Of each, the Python files of the commit named there are unpacked, those that
may train are picked by a look at the text, and each is compiled for the default target of its framework, in a process
of its own with a limit of CPU time. Nothing of the scripts is run, unless ``--run`` is given: then the scripts that
`real_world.toml` has a command for are run sequentially, on several processes and with ``corro verify``, in a copy of
their repository. That executes other people's code: read it first. ``--beside`` does the same with the models that the
published tool for TensorFlow was measured on, each process with a core of its own.

``--write`` puts the tables into `docs/real_world.md`. ``--results FOLDER`` keeps what was said of each file and the
diffs, for reading; with ``--run`` and ``--beside`` it keeps each row, so that a run that was ended goes on where it
was, and that rows of two environments come into one table.
"""

from __future__ import annotations

import ast
import difflib
import functools
import hashlib
import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import click
from common import ROOT, publish, table
from rich.console import Console
from rich.progress import track

import corro

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LISTS = (Path(__file__).with_suffix(".toml"), Path(__file__).with_name("real_world_sample.toml"))
PAGE = ROOT / "docs" / "real_world.md"
STEADY = Path(__file__).with_name("steady")
SUFFIXES = (".py", ".ipynb")
PROJECT = (".toml", ".cfg")
"""What says which package a repository is."""
COMPILED = (".c", ".cc", ".cpp", ".cu", ".pyx")
"""What modules that are no Python are made of."""
SAMPLE = "sample"
PARTS = {"pytorch": "", "keras": ": Keras and TensorFlow", "entries": ": entry scripts", SAMPLE: ": a sample"}
"""The tables that are made apart, and how their titles end."""
MEMORY_LIMIT = 6 * 2**30
WALL_LIMIT = 10
"""A process that waits is ended after so many times the limit of CPU time."""

# A cheap look at the text: what may train. Corro has the last word.
FRAMEWORKS = {
    "pytorch": (r"\btorch\b", r"\.backward\("),
    "keras": (r"\bkeras\b", r"\.(fit|fit_generator|train_on_batch)\("),
    "tensorflow": (r"\btensorflow\b", r"\bGradientTape\b|\.minimize\(|\.apply_gradients\("),
}

CONVERTED = "converted"
REVIEW = "converted with review"
TO_VERIFY = "to be verified"
REFUSED = "refused"
NOTHING = "nothing to convert"
DISTRIBUTED = "already distributed"
NOT_PYTHON = "not Python 3"
BAD_OUTPUT = "output fails a check"
TIMED_OUT = "timed out"
CRASHED = "crashed"
MODELS = (
    "LSTM-MNIST", "SimpleCNN-GradientTape-1", "SimpleCNN-GradientTape-2", "SimpleCNN-MonitoredSession",
    "SimpleCNN-Session", "VGG-CIFAR10", "Play-with-MNIST", "Linear-Regression", "Fashion-MNIST", "CIFAR10-VGG16",
    "Inception-Network", "RNN-Sentiment-Analysis", "Stacked-LSTM-ColorBot", "Auto-Encoder", "Variational-Auto-Encoder",
    "DCGAN",
)  # fmt: skip
"""Those that the published tool was measured on, in its authors' words and order."""
RUNS = ("repository", "script", "target", "sequential", "on processes", "verify")
BESIDE = (
    "model", "API", "file", "published tool", "times faster, 4 GPUs",
    "Corro", "last loss", "on 2 processes", "times faster, 2 cores", "verify",
)  # fmt: skip
OUTCOMES = (CONVERTED, REVIEW, TO_VERIFY, REFUSED, DISTRIBUTED, NOTHING, NOT_PYTHON, BAD_OUTPUT, TIMED_OUT, CRASHED)


@dataclass(frozen=True)
class Script:
    """A script with a command line.

    Args:
        path: the file.
        arguments: those of its command line.
        replace: texts in it and what they give way to, so that it is short.
        prepare: Python that is run once in its folder before: it makes small data in the format of the real ones.
        to: the target; empty for the default.
        processes: how many.
        model: what the authors of the published tool call it.
        pattern: what trains there, in their words.
        theirs: what they say of it: "converted" or not, and how many times faster with 4 GPUs.
    """

    path: str
    arguments: Sequence[str] = ()
    replace: Sequence[Sequence[str]] = ()
    prepare: str = ""
    to: str = ""
    processes: int = 2
    model: str = ""
    pattern: str = ""
    theirs: Sequence[str] = ()


@dataclass(frozen=True)
class Repository:
    """A repository as the list names it.

    Args:
        name: owner and name.
        commit: the commit whose files are taken.
        part: the tables that it belongs to.
        under: limits it to some folders.
        entry: the files that are taken, scripts that are started; without any, all that may train.
        markdown: pages count as well, as notebooks of their blocks of Python.
        compiled: whether it counts in the tables of what is compiled; or is there for its scripts only.
        script: the scripts that are run.
    """

    name: str
    commit: str
    part: str = "pytorch"
    under: Sequence[str] = ()
    entry: Sequence[str] = ()
    markdown: bool = False
    compiled: bool = True
    script: Sequence[Script] = ()

    @classmethod
    def of(cls, entry: dict[str, Any]) -> Repository:
        given = entry.pop("script", ())
        scripts = [Script(**{**each, "to": to}) for each in given for to in _targets(each)]
        return cls(**entry, script=scripts)

    @property
    def key(self) -> str:
        """Tells a repository at one commit from the same at another."""
        return f"{self.name}@{self.commit[:12]}"

    def git_folder(self, clones: Path) -> Path | None:
        folder = clones / self.name.replace("/", "+")
        inside = [folder, folder / ".git", folder / "repo", folder / "repo" / ".git"]
        return next((each for each in inside if (each / "HEAD").is_file()), None)

    @property
    def how_to_clone(self) -> str:
        return f"git clone --bare https://github.com/{self.name}.git {self.name.replace('/', '+')}"


Work = tuple[Repository, Script]


@dataclass(frozen=True)
class Said:
    """One finding: the level, the rule, where, what."""

    level: str
    rule: str
    where: str
    message: str
    advice: str = ""


@dataclass(frozen=True)
class Result:
    """What came of one file."""

    repository: str
    path: str
    framework: str
    outcome: str
    seconds: float = 0.0
    findings: Sequence[Said] = ()
    trouble: str = ""
    diff: str = field(default="", repr=False)

    @property
    def refusals(self) -> list[Said]:
        return [said for said in self.findings if said.level == "refused"]


def _targets(script: dict[str, Any]) -> list[str]:
    """The targets for which the list has a script: one, or several."""
    to = script.get("to", "")
    return to if isinstance(to, list) else [to]


# ---------------------------------------------------------------------- files


def unpack(repository: Repository, clones: Path, where: Path, *, everything: bool = False) -> bool:
    """Put the Python files, or all files, of a repository's commit into a folder; whether there is a clone of it."""
    git = repository.git_folder(clones)
    if git is None:
        return False
    listed = _git(git, b"", "ls-tree", "-r", "-z", repository.commit).decode().split("\0")[:-1]
    entries = [(*head.split()[1:], path) for head, _, path in (line.partition("\t") for line in listed)]
    suffixes = (*SUFFIXES, *PROJECT, *COMPILED, *((".md",) if repository.markdown else ()))
    (where / ".git").mkdir(parents=True, exist_ok=True)  # as in a clone: project modules are looked for up to here
    blobs = [(name, path) for kind, name, path in entries if kind == "blob" and (everything or path.endswith(suffixes))]
    content = _git(git, "".join(f"{name}\n" for name, _ in blobs).encode(), "cat-file", "--batch")
    position = 0
    for _, path in blobs:
        begin = content.index(b"\n", position) + 1
        head, position = content[position : begin - 1], begin
        if not head.endswith(b" missing"):  # a partial clone lacks its largest files
            size = int(head.split()[-1])
            (where / path).parent.mkdir(parents=True, exist_ok=True)
            blob = content[begin : begin + size]
            (where / path).write_bytes(blob)
            if repository.markdown and path.endswith(".md"):
                (where / path).with_suffix(".ipynb").write_text(notebook_of(blob.decode()))
            position = begin + size + 1
    return True


def notebook_of(page: str) -> str:
    """A page of Markdown as a notebook: each block of Python is a cell."""
    blocks = re.findall(r"^```[ ]*python[ ]*\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    cells = [{"cell_type": "code", "source": block, "metadata": {}, "outputs": []} for block in blocks]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4})


def _git(folder: Path, given: bytes, *arguments: str) -> bytes:
    done = subprocess.run(["git", f"--git-dir={folder}", *arguments], input=given, capture_output=True, check=False)
    if done.returncode:
        raise click.ClickException(f"git {arguments[0]} in {folder}: {done.stderr.decode()}")
    return done.stdout


def candidates(repository: Repository, folder: Path) -> Iterator[tuple[Path, str]]:
    """The files that may train, each with its framework."""
    yield from ((folder / path, "pytorch") for path in repository.entry)
    if repository.entry:
        return
    for path in sorted(each for suffix in SUFFIXES for each in folder.rglob(f"*{suffix}")):
        inside = path.relative_to(folder).as_posix()
        if (
            path.is_symlink()
            or not path.is_file()
            or (repository.under and not inside.startswith(tuple(repository.under)))
        ):
            continue
        text = path.read_bytes().decode("utf-8", errors="replace")
        for framework, signs in FRAMEWORKS.items():
            if all(re.search(sign, text) for sign in signs):
                yield path, framework
                break


# ---------------------------------------------------------------------- compiling


def compile_one(repository: str, path: Path, folder: Path, framework: str) -> Result:
    """Compile a file in this process."""
    result = functools.partial(Result, repository, path.relative_to(folder).as_posix(), framework)
    begin = time.process_time()
    try:
        output = corro.compile(path)
    except corro.SourceError as error:
        return result(NOT_PYTHON, time.process_time() - begin, trouble=str(error).replace(f"{folder}/", ""))
    except corro.CheckError as error:
        return result(BAD_OUTPUT, time.process_time() - begin, trouble=str(error))
    except Exception:  # whatever it is, it is a fault to be counted
        return result(CRASHED, time.process_time() - begin, trouble=traceback.format_exc())
    seconds = time.process_time() - begin
    findings = [
        Said(
            each.level.value,
            each.rule,
            where(output, each, folder),
            each.message.replace(f"{folder}/", ""),
            each.advice,
        )
        for each in output.plan.findings
    ]
    if output.text is None:
        return result(output.plan.outcome.value, seconds, findings)
    old, new = (text.splitlines(keepends=True) for text in (output.source.text, output.text))
    diff = "".join(difflib.unified_diff(old, new, str(path), str(path), n=4)).replace(f"{folder}/", "")
    try:
        ast.parse(output.source.encode(output.text))
    except SyntaxError as error:
        return result(BAD_OUTPUT, seconds, findings, str(error), diff)
    review = any(said.level == "review" for said in findings)
    return result(REVIEW if review else CONVERTED, seconds, findings, diff=diff)


def where(output: corro.Output, finding: corro.Finding, folder: Path) -> str:
    """The line of a finding; with its file, when that is another one."""
    if not finding.file:
        return str(output.source.place(finding.span).line)
    source = corro.read_source(finding.file)
    return f"{finding.file.replace(f'{folder}/', '')}:{source.place(finding.span).line}"


def _child(pipe: Connection, limit: int, arguments: tuple[Any, ...]) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    pipe.send(compile_one(*arguments))


def compile_apart(context: Any, limit: int, repository: str, path: Path, folder: Path, framework: str) -> Result:
    """Compile a file in a process of its own."""
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_child, args=(there, limit, (repository, path, folder, framework)), daemon=True)
    process.start()
    there.close()
    failed = functools.partial(Result, repository, path.relative_to(folder).as_posix(), framework)
    try:
        if here.poll(limit * WALL_LIMIT):
            return here.recv()
        return failed(TIMED_OUT, limit)
    except EOFError:
        process.join()
        ended = -process.exitcode if process.exitcode else 0
        out_of_time = ended in (signal.SIGXCPU, signal.SIGKILL)
        return failed(TIMED_OUT if out_of_time else CRASHED, limit, trouble=f"exit status {process.exitcode}")
    finally:
        process.kill()
        process.join()
        here.close()


def measure(work: Sequence[tuple[str, Path, Path, str]], jobs: int, limit: int) -> list[Result]:
    """Compile all files, ``jobs`` at a time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["corro.compiler", __name__])
    one = functools.partial(compile_apart, context, limit)
    with ThreadPoolExecutor(jobs) as pool:
        done = pool.map(lambda each: one(*each), work)
        return list(track(done, "compiling", len(work), console=Console(stderr=True)))


# ---------------------------------------------------------------------- running


@dataclass(frozen=True)
class Ended:
    """A command that has ended, or was ended: ``status`` is then None.

    Args:
        seconds: from the start to the end.
        trained: seconds from the import of TensorFlow to the end, the longest of all processes.
        output: what it wrote.
    """

    status: int | None
    seconds: float
    trained: float
    output: str

    @property
    def loss(self) -> str:
        """The last loss that is shown, in four digits."""
        losses = re.findall(r"(?i)(?<![a-z])(?:val_)?loss:? *(\d[-\d.e+]*)", self.output)
        return f"{float(losses[-1].rstrip('.')):.4g}" if losses else ""


def verify_script(repository: Repository, script: Script, clones: Path, limit: int) -> list[str]:
    """Run a script through ``verify`` alone, which makes both runs; a row of the table."""
    name = f"`{' '.join([script.path, *script.arguments])}`"
    with _Rooms(repository, script, clones, limit) as rooms:
        verdict = verdict_of(rooms.end(rooms.verify), limit)
    return [repository.name, name, script.to or "default", "in verify", "in verify", verdict]


def run_script(repository: Repository, script: Script, clones: Path, limit: int) -> list[str]:
    """Run a script sequentially, on several processes and through ``verify``; a row of the table."""
    name = f"`{' '.join([script.path, *script.arguments])}`"
    steady = repository.part == "keras"
    with _Rooms(repository, script, clones, limit) as rooms:
        row = [repository.name, name, script.to or "default"]
        for command in (rooms.sequential, rooms.distributed):
            ended = rooms.end(command, steady=steady)
            loss = f", {ended.loss}" if steady and ended.loss else ""
            row.append(said_of(ended, limit) + loss)
        row.append(verdict_of(rooms.end(rooms.verify), limit))
    return row


def run_beside(repository: Repository, script: Script, clones: Path, limit: int) -> list[str]:
    """The same for a model of the published tool, with times that can be compared; a row of its table."""
    row = [script.model, script.pattern, f"{repository.name}, `{script.path}`", *script.theirs]
    with _Rooms(repository, script, clones, limit) as rooms:
        refused = next((each for each in compile_one(repository.key, rooms.path, rooms.base, "").refusals), None)
        if refused is not None:
            return [*row, f"refused: {refused.message}", "", "", "", ""]
        cores = sorted(os.sched_getaffinity(0))
        alone = rooms.end(rooms.sequential, steady=True, cores=cores[:1])
        together = rooms.end(rooms.distributed, steady=True, cores=cores[: script.processes])
        verdict = verdict_of(rooms.end(rooms.verify), limit)
    if alone.status == together.status == 0:
        return [*row, "converted", alone.loss, together.loss, f"{alone.trained / together.trained:.2f}", verdict]
    return [*row, "converted", said_of(alone, limit), said_of(together, limit), "", verdict]


class _Rooms:
    """Copies of a repository, with the script made short, one for each command; a notebook as the script that it is."""

    def __init__(self, repository: Repository, script: Script, clones: Path, limit: int) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._limit = limit
        self._number = 0
        self.base = Path(self._folder.name, "0").resolve()
        unpack(repository, clones, self.base, everything=True)
        path = self.base / script.path
        text = corro.read_source(path).text
        for old, new in script.replace:
            assert old in text, f"{script.path} has no {old!r}"
            text = text.replace(old, new)
        self.path = path.with_suffix(".py")
        self.path.write_text(text)
        if script.prepare:
            subprocess.run([sys.executable, "-c", script.prepare], cwd=path.parent, check=True)
        to = ["--to", script.to] if script.to else []
        name, program = self.path.name, [sys.executable, "-m", "corro"]
        arguments = [name, "-n", str(script.processes), *to]
        self.sequential = [sys.executable, name, *script.arguments]
        self.distributed = [*program, "run", *arguments, "--", *script.arguments]
        self.verify = [*program, "verify", "--json", *arguments, "--", *script.arguments]

    def __enter__(self) -> _Rooms:
        return self

    def __exit__(self, *_: object) -> None:
        self._folder.cleanup()

    def end(self, command: Sequence[str], *, steady: bool = False, cores: Sequence[int] = ()) -> Ended:
        """Run a command to its end in a copy of its own."""
        self._number += 1
        copy, times = (Path(self._folder.name, f"{self._number}{suffix}") for suffix in ("", "-times"))
        shutil.copytree(self.base, copy, symlinks=True)
        times.mkdir()
        environment = {**os.environ, "MPLBACKEND": "Agg", "STEADY_TIMES": str(times)}
        if steady:
            known = environment.get("PYTHONPATH", "")
            environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(STEADY), known]))
        before, begin = os.sched_getaffinity(0), time.monotonic()
        os.sched_setaffinity(0, cores or before)  # what is started has them too
        try:
            done = subprocess.run(
                command,
                check=False,
                cwd=copy / self.path.parent.relative_to(self.base),
                env=environment,
                timeout=self._limit,
                capture_output=True,
                text=True,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return Ended(None, self._limit, 0, "")
        finally:
            os.sched_setaffinity(0, before)
        seconds = time.monotonic() - begin
        if done.returncode:
            print(f"{' '.join(command)}\n{done.stdout[-2000:]}{done.stderr[-2000:]}", file=sys.stderr)
        trained = max((float(each.read_text()) for each in times.iterdir()), default=0)
        return Ended(done.returncode, seconds, trained, done.stdout)


def said_of(ended: Ended, limit: int) -> str:
    """How a run ended, and when."""
    if ended.status is None:
        return f"not done in {limit} s"
    return f"{'ok' if ended.status == 0 else f'exit status {ended.status}'}, {ended.seconds:.0f} s"


def verdict_of(ended: Ended, limit: int) -> str:
    """What ``verify`` says: how many properties hold, which do not, and of which it abstains."""
    if ended.status is None or not ended.output.startswith("{"):
        return said_of(ended, limit)
    properties: dict[str, list[str]] = defaultdict(list)
    for result in json.loads(ended.output)["results"]:
        properties[result["status"]].append(result["property"])
        for told in [*result["faults"], *result["unknown"]]:
            print(f"  {result['status']} {result['property']}: {told}", file=sys.stderr)
    parts = [f"{len(properties['PASS'])} pass"]
    parts += [f"**fails**: {', '.join(properties['FAIL'])}"] if properties["FAIL"] else []
    parts += [f"abstains: {', '.join(properties['ABSTAIN'])}"] if properties["ABSTAIN"] else []
    return "; ".join(parts) + f" ({ended.seconds:.0f} s)"


def run_all(
    work: Sequence[Work], chosen: Callable[[Script], bool], one: Callable[..., list[str]], kept: Path | None
) -> list[list[str]]:
    """Run the chosen scripts, one after the other; rows that are kept already stay, those of others too."""
    file = kept / "rows.json" if kept is not None else None
    known = json.loads(file.read_text()) if file is not None and file.exists() else {}
    keys = [json.dumps([one.__name__, repository.key, asdict(script)]) for repository, script in work]
    for key, (repository, script) in zip(keys, work, strict=True):
        if key in known or not chosen(script):
            continue
        print(f"{repository.name} {script.path} {script.to}", file=sys.stderr)
        known[key] = one(repository, script)
        print(" | ".join(known[key]), file=sys.stderr)
        if file is not None:
            file.parent.mkdir(exist_ok=True)
            file.write_text(json.dumps(known, indent=1))
    return [known[key] for key in keys if key in known]


# ---------------------------------------------------------------------- tables


def outcomes(results: Sequence[Result]) -> str:
    rows = []
    for framework in FRAMEWORKS:
        of_it = [each for each in results if each.framework == framework]
        counts = Counter(each.outcome for each in of_it)
        if of_it:
            rows.append([framework, str(len(of_it)), *(str(counts[outcome]) for outcome in OUTCOMES)])
    return table(["files with signs of", "files", *OUTCOMES], rows)


def repositories(results: Sequence[Result], known: Sequence[Repository]) -> str:
    rows = []
    for repository in known:
        of_it = [each for each in results if each.repository == repository.key]
        counts = Counter(each.outcome for each in of_it)
        if of_it:
            title = " ".join([repository.name, *(f"`{folder}`" for folder in repository.under)])
            row = [title, f"`{repository.commit[:12]}`", str(len(of_it))]
            rows.append([*row, *(str(counts[outcome] or "") for outcome in OUTCOMES)])
    return table(["repository", "commit", "files", *OUTCOMES], rows)


def reasons(results: Sequence[Result]) -> str:
    """How many files are refused for a reason, and how many for nothing else."""
    files: dict[tuple[str, str, str], set[Result]] = defaultdict(set)
    alone: Counter[tuple[str, str, str]] = Counter()
    for index, result in enumerate(results):
        kinds = {(result.framework, said.rule, general(said.message)) for said in result.refusals}
        for kind in kinds:
            files[kind].add(index)
        if len(kinds) == 1:
            alone[kinds.pop()] += 1
    rows = [
        [str(len(found)), str(alone[kind] or ""), kind[0], f"`{kind[1]}`", kind[2], _example(results[min(found)])]
        for kind, found in sorted(files.items(), key=lambda item: (-len(item[1]), item[0]))
    ]
    return table(["files", "only this", "framework", "rule", "reason", "for example"], rows)


def _example(result: Result) -> str:
    return f"{result.repository.partition('@')[0].partition('/')[2]}/{result.path}"


def general(message: str) -> str:
    """A message without the names of the script."""
    message = re.sub(r"^\S+ (is accumulated|depends on)", r"… \1", message)
    message = re.sub(r"'[^']*'|`[^`]*`|\"[^\"]*\"", "…", message)
    return re.sub(r"\b\d+\b", "N", message).replace("|", "\\|")


def troubles(results: Sequence[Result]) -> str:
    """The files that came to a bad end, one line each."""
    bad = [each for each in results if each.outcome in (BAD_OUTPUT, TIMED_OUT, CRASHED)]
    rows = [
        [each.repository.partition("@")[0], each.path, each.outcome, (each.trouble.strip().splitlines() or [""])[-1]]
        for each in bad
    ]
    return table(["repository", "file", "outcome", "what happened"], rows) if bad else "None.\n"


def keep(results: Sequence[Result], where: Path) -> None:
    """Write what was said of each file, and the diffs."""
    shutil.rmtree(where / "diffs", ignore_errors=True)
    (where / "diffs").mkdir(parents=True)
    with open(where / "results.jsonl", "w") as lines:
        for each in results:
            fields = asdict(each)
            diff = fields.pop("diff")
            lines.write(json.dumps(fields) + "\n")
            if diff:
                name = f"{each.repository.partition('@')[0]}/{each.path}".replace("/", "__")
                (where / "diffs" / f"{name}.diff").write_text(diff)


# ---------------------------------------------------------------------- the command


@click.command(help=__doc__.partition("\n")[0])
@click.option(
    "--repositories", "clones", type=click.Path(path_type=Path, exists=True), required=True, help="The clones."
)
@click.option("--part", type=click.Choice(list(PARTS)), default="pytorch", show_default=True, help="Which tables.")
@click.option("--only", metavar="TEXT", default="", help="Repositories with TEXT in their names.")
@click.option("--jobs", default=1, show_default=True, help="How many files at a time.")
@click.option(
    "--limit",
    default=120,
    show_default=True,
    help="CPU seconds for one file; with --run, 10 times as many for one run.",
)
@click.option("--results", "kept", type=click.Path(path_type=Path), help="Keep findings and diffs in this folder.")
@click.option("--run", "running", is_flag=True, help="Run the scripts that have a command, instead of compiling all.")
@click.option("--verify-only", "briefly", is_flag=True, help="With --run, make both runs in corro verify alone.")
@click.option("--beside", is_flag=True, help="Run the models of the published tool for TensorFlow.")
@click.option("--to", metavar="TARGETS", default="", help="With --run, only scripts for these targets (or: default).")
@click.option("--write", is_flag=True, help="Put the tables into docs/real_world.md.")
def main(
    *,
    clones: Path,
    part: str,
    only: str,
    jobs: int,
    limit: int,
    kept: Path | None,
    running: bool,
    briefly: bool,
    beside: bool,
    to: str,
    write: bool,
) -> None:
    entries = [entry for each in LISTS for entry in tomllib.loads(each.read_text())["repository"]]
    known = [each for each in map(Repository.of, entries) if each.part == part and only in each.name]
    before, behind = f"{part}-" if PARTS[part] else "", PARTS[part]
    missing = [each for each in known if each.git_folder(clones) is None]
    for command in dict.fromkeys(each.how_to_clone for each in missing):
        print(command)
    if missing:
        raise click.ClickException(f"{len(missing)} repositories are not in {clones}: make them as above.")
    if running or beside:
        wanted = to.split(",") if to else []
        work = [(e, s) for e in known for s in e.script if bool(s.model) is beside]
        each = verify_script if briefly else run_script
        one = functools.wraps(run_script)(functools.partial(each, clones=clones, limit=10 * limit))
        if beside:
            one = functools.wraps(run_beside)(functools.partial(run_beside, clones=clones, limit=10 * limit))
            work.sort(key=lambda each: MODELS.index(each[1].model))
        rows = run_all(work, lambda script: not wanted or (script.to or "default") in wanted, one, kept)
        if beside:
            publish("beside", "Beside the published tool", table(BESIDE, rows), write, PAGE)
        else:
            publish(f"{before}runs", f"Run{behind}", table(RUNS, rows), write, PAGE)
        return
    known = [each for each in known if each.compiled]
    results = compile_all(known, clones, jobs, limit)
    if kept is not None:
        keep(results, kept)
    tables = [
        ("outcomes", "Outcomes", outcomes(results)),
        ("troubles", "Crashes, time-outs and outputs that fail a check", troubles(results)),
        ("reasons", "Refusals by reason", reasons(results)),
    ]
    if part != SAMPLE:  # of which each repository has a file or two
        tables.append(("repositories", "Repositories", repositories(results, known)))
    for name, title, text in tables:
        publish(f"{before}{name}", f"{title}{behind}", text, write, PAGE)


def compile_all(known: Iterable[Repository], clones: Path, jobs: int, limit: int) -> list[Result]:
    """Compile the files of all repositories; those that are equal byte by byte and in one repository count once."""
    with tempfile.TemporaryDirectory() as scratch:
        work = []
        for repository in known:
            folder = Path(scratch).resolve() / repository.key
            unpack(repository, clones, folder)
            seen: set[bytes] = set()
            for path, framework in candidates(repository, folder):
                digest = hashlib.sha256(path.read_bytes()).digest()
                if digest not in seen:
                    work.append((repository.key, path, folder, framework))
                seen.add(digest)
        return measure(work, jobs, limit)


if __name__ == "__main__":
    main()
