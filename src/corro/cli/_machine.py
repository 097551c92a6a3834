"""What this machine has, asked without loading a framework."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from corro.launch.launchers import usable_cores

MOST_ON_CORES = 4
_DRIVER = Path("/proc/driver/nvidia/gpus")


def gpus() -> int:
    """How many NVIDIA GPUs programs see here."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is not None:
        return len([each for each in visible.split(",") if each.strip() not in {"", "-1"}])
    with contextlib.suppress(OSError):
        return len(list(_DRIVER.iterdir()))
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        listed = subprocess.run(("nvidia-smi", "-L"), capture_output=True, text=True, timeout=10, check=True).stdout
        return sum(line.startswith("GPU ") for line in listed.splitlines())
    return 0


def good_number() -> tuple[int, str]:
    """On how many processes to train here, and why."""
    if found := gpus():
        return found, f"{found} GPU{'s' * (found > 1)}"
    cores = usable_cores()
    return min(cores, MOST_ON_CORES), f"no GPU was found, and {cores} core{'s' * (cores > 1)}"
