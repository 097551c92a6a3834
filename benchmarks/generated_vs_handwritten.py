"""How fast generated programs train, beside hand-written ones and beside two processes that do not talk.

    python benchmarks/generated_vs_handwritten.py [--repeat 5] [--example dense_500] [--write]

For each example and each target the generated program and the one in ``benchmarks/handwritten`` are run in turn
(A B A B) on two processes of one thread each, with the same launcher, and each pair gives one ratio of their speeds:
what the machine does besides hits both. Samples a second are of training (see ``timed.py``). The limit is what two
unconnected processes do together, each with half of the batch size: no synchronised program can be faster.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from common import EXAMPLES, machine, publish, spread, table

from corro.compiler import compile_file

HERE = Path(__file__).resolve().parent
BATCH = 64
BATCH_SIZES = {"digits_cnn": "batch_size = 64", "dense_500": "BATCH_SIZE = 64"}
TARGETS = ("ddp", "horovod")
TIMED = str(HERE / "timed.py")


def launcher(target: str) -> list[str]:
    """The command that starts a program on two processes."""
    if target == "ddp":
        return [sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone"]
    return [str(Path(sys.executable).with_name("horovodrun")), "--gloo", "-np", "2", sys.executable]


def run(commands: list[list[str]], folder: Path) -> list[dict[str, float]]:
    """Run commands at the same time in a folder; returns the figures of all processes that trained."""
    for old in folder.glob("*.json"):
        old.unlink()
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PATH": path}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    started = [
        subprocess.Popen(command, cwd=folder, env=environment, stderr=subprocess.PIPE, text=True, **quiet)
        for command in commands
    ]
    for process in started:
        _, errors = process.communicate(timeout=600)
        if process.returncode:
            raise SystemExit(f"{process.args} failed:\n{errors[-3000:]}")
    return [json.loads(path.read_text()) for path in folder.glob("*.json")]


def connected(target: str, script: Path, folder: Path) -> float:
    """Samples a second of two processes that train one model."""
    figures = run([[*launcher(target), TIMED, str(folder), str(script)]], folder)
    return BATCH * figures[0]["steps"] / max(each["seconds"] for each in figures)


def unconnected(example: str, folder: Path) -> float:
    """Samples a second of two processes, together, that train a model each with half of the batch size."""
    old = BATCH_SIZES[example]
    text = (EXAMPLES / f"{example}.py").read_text()
    assert text.count(old) == 1
    script = folder / f"{example}_half.py"
    script.write_text(text.replace(old, old.replace(str(BATCH), str(BATCH // 2))))
    figures = run([[sys.executable, TIMED, str(folder), str(script)]] * 2, folder)
    return sum(BATCH // 2 * each["steps"] / each["seconds"] for each in figures)


def alternate(programs: dict[str, Callable[[], float]], repeat: int) -> dict[str, list[float]]:
    """Measure programs in turn, again and again; a first round warms up and does not count."""
    speeds: dict[str, list[float]] = {name: [] for name in programs}
    for turn in range(repeat + 1):
        for name, measure in programs.items():
            speed = measure()
            print(f"  {name}: {speed:,.0f} samples/s{'' if turn else ' (warming up)'}", file=sys.stderr, flush=True)
            if turn:
                speeds[name].append(speed)
    return speeds


def measured(example: str, repeat: int, folder: Path) -> list[list[str]]:
    programs: dict[str, Callable[[], float]] = {}
    for target in TARGETS:
        output = compile_file(EXAMPLES / f"{example}.py", target=target)
        assert output.text is not None, f"{example} was refused for {target}"
        generated = folder / f"{example}_{target}.py"
        generated.write_bytes(output.text.encode())
        by_hand = HERE / "handwritten" / generated.name
        programs[f"{target}, generated"] = lambda t=target, s=generated: connected(t, s, folder)  # type: ignore[misc]
        programs[f"{target}, by hand"] = lambda t=target, s=by_hand: connected(t, s, folder)  # type: ignore[misc]
    programs["unconnected"] = lambda: unconnected(example, folder)
    speeds = alternate(programs, repeat)
    rows = []
    for target in TARGETS:
        generated_speeds, by_hand_speeds = speeds[f"{target}, generated"], speeds[f"{target}, by hand"]
        ratios = [a / b for a, b in zip(generated_speeds, by_hand_speeds, strict=True)]
        of_limit = statistics.median(generated_speeds) / statistics.median(speeds["unconnected"])
        rows.append(
            [
                f"`{example}`",
                target,
                f"{statistics.median(generated_speeds):,.0f}",
                f"{statistics.median(by_hand_speeds):,.0f}",
                spread(ratios),
                f"{of_limit:.2f}",
            ]
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5, help="counted rounds (default: %(default)s)")
    parser.add_argument("--example", choices=sorted(BATCH_SIZES), action="append", help="only this one")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/benchmarks.md")
    options = parser.parse_args()
    where = machine()
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            row
            for example in options.example or sorted(BATCH_SIZES)
            for row in measured(example, options.repeat, Path(folder))
        ]
    header = [
        "example",
        "target",
        "generated, samples/s",
        "by hand, samples/s",
        "generated : by hand, min / median / max",
        "generated : unconnected",
    ]
    text = (
        f"Two processes of one thread; {options.repeat} rounds; {where}.\n\n{table(header, rows)}\n"
        "Repeat with `python benchmarks/generated_vs_handwritten.py --write`.\n"
    )
    publish("generated_vs_handwritten", "Generated programs beside hand-written ones", text, options.write)


if __name__ == "__main__":
    main()
