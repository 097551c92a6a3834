"""How fast Corro compiles: CPU seconds of a cold process, beside LibCST on the same file; lines a second elsewhere.

    python benchmarks/compile_speed.py [--repeat 15] [--write | --check]

Cold is a new process for each measurement, everything on disk already read once and compiled to bytecode. CPU seconds
(user and system) are compared, so that other work on the machine matters little. LibCST does what it takes to know the
names: parse, scopes, qualified names, positions. For files that train nothing, PyTorch's own Python files are compiled
in one process. How far it is goes to the standard error.

``--write`` also keeps what came out in ``compile_speed.json``, as multiples of LibCST's time; the first page of help is
kept as a multiple of an empty process. ``--check`` measures again and fails where that is exceeded by more than a
quarter. Rounds are repeated until they are fast enough or it is plain that they will not be, and the median of the
ratios within a round is compared: other work meets both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import count
from operator import truediv
from pathlib import Path
from statistics import median

from common import EXAMPLES, machine, publish, spread, table

from corro.compiler import Options, compile_source
from corro.errors import CorroError
from corro.source import SourceFile

SCRIPT = EXAMPLES / "digits_mnist_style.py"
LINES_WANTED = 60_000
RATIOS = Path(__file__).with_suffix(".json")
MARGIN = 1.25
ROUNDS = range(5, 16)
"""How many rounds a check makes: the fewest, and the most before it says that compiling has become slower."""

EMPTY = "empty Python process"
HELP = "`corro --help`"
TO_DDP = "`corro compile`, to DDP"
LIBCST_ALL = "LibCST: import, parse, metadata"
CHECKED = (EMPTY, HELP, TO_DDP, LIBCST_ALL)
LIBCST = """
import sys
from libcst import parse_module
from libcst.metadata import MetadataWrapper, PositionProvider, QualifiedNameProvider, ScopeProvider
module = parse_module(open(sys.argv[1], "rb").read())
MetadataWrapper(module).resolve_many([ScopeProvider, QualifiedNameProvider, PositionProvider])
"""


def cpu_seconds(command: list[str]) -> float:
    """User and system time of a command and of what it started."""
    with_bytecode = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=with_bytecode)
    assert process.stderr is not None
    errors = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{errors[-2000:]}")
    return usage.ru_utime + usage.ru_stime


def say(text: str) -> None:
    """How far it is: all of it takes minutes."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Measured:
    """CPU seconds of cold processes by what they did, and of compiling files that train nothing."""

    cold: dict[str, list[float]]
    files: int
    lines: int
    untrained: list[float]

    @property
    def ratios(self) -> dict[str, float]:
        """The times as multiples of another one in the same round, of which they tell: the median of all rounds."""
        libcst = self.cold[LIBCST_ALL]
        per_10_000_lines = [seconds / self.lines * 10_000 for seconds in self.untrained]
        pairs = {
            "compile, to DDP": (self.cold[TO_DDP], libcst),
            "10,000 lines": (per_10_000_lines, libcst),
            "--help": (self.cold[HELP], self.cold[EMPTY]),
        }
        return {name: median(map(truediv, each, other)) for name, (each, other) in pairs.items()}


def rounds(commands: dict[str, list[str]], fewest: int) -> Iterator[Measured]:
    """What was measured up to each round, from the one on that has the number ``fewest``.

    In each round everything is measured once, so that a change of the machine's speed meets all alike.
    """
    files = untrained_files()
    lines = sum(path.read_bytes().count(b"\n") for path in files)
    measured = Measured({name: [] for name in commands}, len(files), lines, [])
    for command in commands.values():
        cpu_seconds(command)
    for number in count(1):
        say(f"round {number}")
        for name, command in commands.items():
            measured.cold[name].append(cpu_seconds(command))
        measured.untrained.append(seconds_for(files))
        if number >= fewest:
            yield measured


def untrained_files() -> list[Path]:
    """Python files of PyTorch, which train nothing."""
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    files, lines = [], 0
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        length = path.read_bytes().count(b"\n")
        if length > 20 and lines < LINES_WANTED:
            files.append(path)
            lines += length
    return files


def seconds_for(files: list[Path]) -> float:
    """Compile files, each once, in this process, and without the package that each would read."""
    begin = time.process_time()
    for path in files:
        with suppress(CorroError):  # that a file trains nothing is the answer here
            compile_source(SourceFile.from_text(path.read_text(), Path("alone", path.name)), Options("ddp"))
    return time.process_time() - begin


def commands_in(folder: str) -> dict[str, list[str]]:
    """What is measured in processes of its own; programs are written into a folder."""
    return {
        EMPTY: [sys.executable, "-c", "pass"],
        HELP: [sys.executable, "-m", "corro", "--help"],
        TO_DDP: _compile(folder, "ddp"),
        "`corro compile`, to Horovod": _compile(folder, "horovod"),
        "import LibCST": [sys.executable, "-c", "import libcst.metadata"],
        LIBCST_ALL: [sys.executable, "-c", LIBCST, str(SCRIPT)],
    }


def _compile(folder: str, target: str) -> list[str]:
    return [sys.executable, "-m", "corro", "compile", str(SCRIPT), "--to", target, "-o", f"{folder}/{target}.py"]


def check() -> str:
    """What is slower than it was, in words; empty where nothing is."""
    allowed = {name: ratio * MARGIN for name, ratio in json.loads(RATIOS.read_text()).items()}
    with tempfile.TemporaryDirectory() as folder:
        commands = {name: command for name, command in commands_in(folder).items() if name in CHECKED}
        for _, measured in zip(ROUNDS, rounds(commands, ROUNDS.start), strict=False):
            slow = [
                f"{name}: {ratio:.2f} times its CPU seconds, {allowed[name]:.2f} at most"
                for name, ratio in measured.ratios.items()
                if ratio > allowed[name]
            ]
            if not slow:
                break
    return "\n".join(slow)


def report(repeat: int, write: bool) -> None:
    """Measure, print the tables and, if asked, keep them."""
    with tempfile.TemporaryDirectory() as folder:
        measured = next(rounds(commands_in(folder), repeat))
    rows = [[name, spread([1000 * value for value in values], "{:.0f}")] for name, values in measured.cold.items()]
    seconds = min(measured.untrained)
    row = [str(measured.files), f"{measured.lines:,}", f"{seconds:.2f}", f"{measured.lines / seconds:,.0f}"]
    ratios = [[name, f"{ratio:.2f}"] for name, ratio in measured.ratios.items()]
    tables = (
        table(["cold process", "CPU ms, min / median / max"], rows),
        table(["files of PyTorch that train nothing", "lines", "CPU s", "lines/s"], [row]),
        table(
            ["median of all rounds", "as a multiple of LibCST: import, parse, metadata; `--help`: of an empty process"],
            ratios,
        ),
    )
    text = (
        f"`{SCRIPT.name}`, {SCRIPT.read_text().count(chr(10))} lines; {machine()}.\n\n" + "\n".join(tables) + "\n"
        "Repeat with `python benchmarks/compile_speed.py --write`; `--check` fails where a multiple has grown by more "
        "than a quarter, and is one of the tests.\n"
    )
    publish("compile_speed", "Compiling", text, write)
    if write:
        kept = {name: round(ratio, 2) for name, ratio in measured.ratios.items()}
        RATIOS.write_text(json.dumps(kept, indent=2) + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15, help="cold processes of each kind (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="keep the figures, in docs/benchmarks.md and for --check")
    parser.add_argument("--check", action="store_true", help="fail where compiling has become slower")
    options = parser.parse_args()
    if options.check:
        sys.exit(check() or None)
    report(options.repeat, options.write)


if __name__ == "__main__":
    main()
