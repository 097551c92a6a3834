"""How fast Corro compiles: CPU seconds of a cold process, beside LibCST on the same file; lines a second elsewhere.

    python benchmarks/compile_speed.py [--repeat 15] [--write]

Cold is a new process for each measurement, everything on disk already read once and compiled to bytecode. CPU seconds
(user and system) are compared, so that other work on the machine matters little. LibCST does what it takes to know the
names: parse, scopes, qualified names, positions. For files that train nothing, PyTorch's own Python files are compiled
in one process. How far it is goes to the standard error.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

from common import EXAMPLES, machine, publish, spread, table

from corro.compiler import Options, compile_source
from corro.errors import CorroError
from corro.source import SourceFile

SCRIPT = EXAMPLES / "digits_mnist_style.py"
LINES_WANTED = 60_000

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


def cold(repeat: int) -> str:
    with tempfile.TemporaryDirectory() as folder:
        commands = {
            "empty Python process": [sys.executable, "-c", "pass"],
            "`corro compile`, to DDP": _compile(folder, "ddp"),
            "`corro compile`, to Horovod": _compile(folder, "horovod"),
            "import LibCST": [sys.executable, "-c", "import libcst.metadata"],
            "LibCST: import, parse, metadata": [sys.executable, "-c", LIBCST, str(SCRIPT)],
        }
        for command in commands.values():
            cpu_seconds(command)
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for number in range(repeat):
            say(f"cold processes, round {number + 1} of {repeat}")
            for name, command in commands.items():
                seconds[name].append(cpu_seconds(command))
    rows = [[name, spread([1000 * value for value in values], "{:.0f}")] for name, values in seconds.items()]
    return table(["cold process", "CPU ms, min / median / max"], rows)


def _compile(folder: str, target: str) -> list[str]:
    return [sys.executable, "-m", "corro", "compile", str(SCRIPT), "--to", target, "-o", f"{folder}/{target}.py"]


def lines_per_second() -> str:
    """Compile files that train nothing, each once, in this process, and without the package that each would read."""
    spec = find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    files, lines = [], 0
    for path in sorted(Path(spec.origin).parent.rglob("*.py")):
        length = path.read_bytes().count(b"\n")
        if length > 20 and lines < LINES_WANTED:
            files.append(path)
            lines += length
    begin = time.process_time()
    for number, path in enumerate(files):
        if number % 20 == 0:
            say(f"files of PyTorch, {number} of {len(files)}, {time.process_time() - begin:.0f} s CPU")
        with suppress(CorroError):  # that a file trains nothing is the answer here
            compile_source(SourceFile.from_text(path.read_text(), Path("alone", path.name)), Options("ddp"))
    seconds = time.process_time() - begin
    row = [str(len(files)), f"{lines:,}", f"{seconds:.2f}", f"{lines / seconds:,.0f}"]
    return table(["files of PyTorch that train nothing", "lines", "CPU s", "lines/s"], [row])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15, help="cold processes of each kind (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/benchmarks.md")
    options = parser.parse_args()
    lines = SCRIPT.read_text().count("\n")
    text = (
        f"`{SCRIPT.name}`, {lines} lines; {machine()}.\n\n{cold(options.repeat)}\n{lines_per_second()}\n"
        "Repeat with `python benchmarks/compile_speed.py --write`.\n"
    )
    publish("compile_speed", "Compiling", text, options.write)


if __name__ == "__main__":
    main()
