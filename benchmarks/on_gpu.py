"""Convert scripts and train them on the GPUs of this machine: sequentially, and with a process for each GPU.

    python benchmarks/on_gpu.py [--write]

A machine without a GPU cannot show that tensors of a converted program are exchanged by NCCL, and those on the CPU by
gloo. It needs PyTorch, scikit-learn, click and rich, with ``src`` on ``PYTHONPATH`` where Corro is not installed.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from common import ROOT, publish, table

SCRIPTS = (
    "examples/pytorch/digits_cnn.py",
    "examples/pytorch/digits_mnist_style.py",
    "examples/pytorch/dense_500.py",
    "examples/pytorch/gan_digits.py",
    "examples/pytorch/contrastive_digits.py",
    "tests/parity/scripts/batchnorm_dataparallel.py",
    "tests/parity/scripts/main_with_guard_args_kwargs.py",
    "tests/parity/scripts/tqdm_loader_adam.py",
    "tests/parity/scripts/mixed_precision.py",
    "tests/parity/scripts/closures.py",
    "tests/parity/scripts/compared_in_the_batch.py",
    "tests/parity/scripts/early_stopping.py",
)
_SHORT = ((r"^(epochs|EPOCHS) = \d+$", r"\1 = 1"),)
_LIMIT_SECONDS = 300


def main() -> None:
    """Train all scripts; the exit status is 1 where one fails."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    asked = parser.parse_args()
    gpus = torch.cuda.device_count()
    if not gpus:
        raise SystemExit("this machine has no GPU that PyTorch sees")
    rows = [_trained(ROOT / script, gpus) for script in SCRIPTS]
    where = f"{gpus} x {torch.cuda.get_device_name(0)}, PyTorch {torch.__version__}"
    text = f"{where}; one epoch each, under NCCL and gloo.\n\n"
    text += table(("script", "sequential, last line", "a process for each GPU, last line"), rows)
    text += "\nRepeat with `python benchmarks/on_gpu.py --write` on a machine with a GPU."
    publish("on_gpu", "On GPUs", text, asked.write)
    sys.exit(int(any("exit status" in cell for row in rows for cell in row)))


def _trained(script: Path, gpus: int) -> tuple[str, str, str]:
    """The name of a script, and the last lines of both runs."""
    text = script.read_text()
    for pattern, short in _SHORT:
        text = re.sub(pattern, short, text, flags=re.MULTILINE)
    arguments = ("--epochs", "1") if 'add_argument("--epochs"' in text else ()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / script.name).write_text(text)
        plain = _last_line((sys.executable, script.name, *arguments), folder)
        run = (sys.executable, "-m", "corro", "run", script.name, "-n", str(gpus), "--", *arguments)
        return script.stem, plain, _last_line(run, folder)


def _last_line(command: tuple[str, ...], folder: str) -> str:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_LIMIT_SECONDS, check=False)
    if done.returncode:
        return f"exit status {done.returncode}: {(done.stderr.strip().splitlines() or [''])[-1]}"
    return (done.stdout.strip().splitlines() or ["(prints nothing)"])[-1]


if __name__ == "__main__":
    main()
