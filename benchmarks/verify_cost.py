"""What `corro verify` costs: its time beside that of the two plain runs, and the size of its records.

    python benchmarks/verify_cost.py [--repeat 3] [--write]

For each example the sequential script and the converted program on two processes are run as they are, then verified;
the time of the verification is given as a multiple of the two plain runs together, made in the same round. The size is
of the records of a model with 25 million parameters over 200 steps, without the scratch space for gradients.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import EXAMPLES, machine, publish, spread, table

LARGE = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = TensorDataset(torch.randn(1600, 64), torch.randint(0, 10, (1600,)))
loader = DataLoader(data, batch_size=8, shuffle=True)
layers = [nn.Linear(64, 1250), nn.ReLU()]
for _ in range(16):
    layers += [nn.Linear(1250, 1250), nn.ReLU()]
model = nn.Sequential(*layers, nn.Linear(1250, 10))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for epoch in range(1):
    for x, y in loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
"""


def seconds(*command: str) -> float:
    """The time of one process, from start to end, in a folder of its own."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        took = time.perf_counter() - start
    if ended.returncode:
        raise SystemExit(f"{command} failed:\n{ended.stdout}{ended.stderr[-3000:]}")
    return took


def ratio(script: Path) -> float:
    """The time of a verification by that of the two plain runs."""
    corro = (sys.executable, "-m", "corro")
    plain = seconds(sys.executable, str(script)) + seconds(*corro, "run", str(script), "-n", "2")
    verified = seconds(*corro, "verify", str(script), "-n", "2")
    print(f"  {script.stem}: {plain:.1f} s plain, {verified:.1f} s verified", file=sys.stderr, flush=True)
    return verified / plain


def record_megabytes(steps: int) -> tuple[float, float]:
    """The size of the records of a large model, all processes together, and of the largest single one."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "large.py")
        script.write_text(LARGE)
        kept = Path(folder, "kept")
        command = (sys.executable, "-m", "corro", "verify", str(script), "-n", "2", "--steps", str(steps))
        seconds(*command, "--keep", str(kept))
        sizes = [path.stat().st_size / 1e6 for path in kept.rglob("record.json")]
    return sum(sizes), max(sizes)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="rounds (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="steps of the large model (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/benchmarks.md")
    options = parser.parse_args()
    where = machine()
    rows = []
    for name in ("digits_cnn", "digits_mnist_style", "dense_500"):
        rows.append([f"`{name}`", spread([ratio(EXAMPLES / f"{name}.py") for _ in range(options.repeat)])])
    together, largest = record_megabytes(options.steps)
    text = (
        f"Two processes; {options.repeat} rounds; {where}.\n\n"
        f"{table(['example', 'verification : two plain runs, min / median / max'], rows)}\n"
        f"Records of a model of 25 million parameters over {options.steps} steps: {largest:.1f} MB the largest, "
        f"{together:.1f} MB all runs together.\n\n"
        "Repeat with `python benchmarks/verify_cost.py --write`.\n"
    )
    publish("verify_cost", "Verifying", text, options.write)


if __name__ == "__main__":
    main()
