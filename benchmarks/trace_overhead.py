"""What `corro trace` adds to a training step.

    python benchmarks/trace_overhead.py [--repeat 5] [--keras3 PYTHON] [--write]

The scripts in ``benchmarks/overhead`` write down what the median of their own steps takes. Each is started on two
processes in turn by ``corro run`` and by ``corro trace`` (A B A B), so what the machine does besides hits both, and
each pair gives one ratio. ``--keras3`` names a Python with Keras 3 and JAX, for the target that needs them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from common import machine, publish, spread, table

HERE = Path(__file__).resolve().parent
STEPS = 250
PROGRAMS = (("pytorch", "ddp"), ("pytorch", "horovod"), ("keras_fit", "horovod"), ("keras_fit", "multiworker"))
KERAS_3 = (("keras_fit", "keras-distribution"),)


def step(python: str, command: str, script: str, target: str, folder: Path) -> float:
    """Seconds of a step when a script is started on two processes by a command of Corro.

    Raises:
        SystemExit: it failed.
    """
    options = ["--steps", str(STEPS), "-o", str(folder / "trace.json")] if command == "trace" else []
    file = folder / "step.txt"
    file.unlink(missing_ok=True)
    started = subprocess.run(
        [python, "-m", "corro", command, str(HERE / "overhead" / f"{script}.py"), "--to", target, "-n", "2", *options],
        cwd=folder,
        env={**os.environ, "STEP_FILE": str(file)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    if started.returncode or not file.exists():
        raise SystemExit(f"corro {command} {script}.py --to {target} failed:\n{started.stderr[-3000:]}")
    return float(file.read_text(encoding="utf-8"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--keras3", help="a Python with Keras 3 and JAX")
    parser.add_argument("--write", action="store_true", help="into docs/benchmarks.md, too")
    asked = parser.parse_args()
    there = [(sys.executable, *each) for each in PROGRAMS]
    there += [(str(Path.cwd() / asked.keras3), *each) for each in KERAS_3 if asked.keras3]
    on, rows = machine(), []
    with tempfile.TemporaryDirectory() as name:
        for python, script, target in there:
            plain, traced = [], []
            for _ in range(asked.repeat):
                plain.append(step(python, "run", script, target, Path(name)))
                traced.append(step(python, "trace", script, target, Path(name)))
            ratios = [after / before for before, after in zip(plain, traced, strict=True)]
            milliseconds = [spread([1000 * each for each in seconds], "{:.1f}") for seconds in (plain, traced)]
            rows.append((f"`{script}`", target, *milliseconds, spread(ratios)))
    shown = table(("script", "target", "ms a step", "ms a step, traced", "traced : not, min / median / max"), rows)
    text = f"Two processes, {asked.repeat} pairs of runs; {on}.\n\n{shown}\nRepeat with "
    text += "`python benchmarks/trace_overhead.py --keras3 .venv-keras/bin/python --write`."
    publish("trace_overhead", "Tracing", text, asked.write)


if __name__ == "__main__":
    main()
