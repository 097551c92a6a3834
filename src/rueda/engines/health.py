"""Whether an engine works here: it is imported, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum

TIMEOUT_SECONDS = 180.0


class State(str, Enum):
    """``MISSING``: not installed. ``BROKEN``: installed, but does not import. ``WORKS``: it does."""

    MISSING = "missing"
    BROKEN = "broken"
    WORKS = "works"


@dataclass(frozen=True)
class Engine:
    """An engine and how to ask for it.

    Args:
        name: the target it runs.
        title: its name in prose.
        module: the top package; absent means the engine is missing.
        probe: Python that fails unless the engine works; prints a list: version, then what it can do.
        advice: how to get it.
    """

    name: str
    title: str
    module: str
    probe: str
    advice: str


@dataclass(frozen=True)
class Health:
    """What was found about an engine: its version and abilities if it works, else what is wrong."""

    engine: Engine
    state: State
    version: str = ""
    detail: str = ""


def examine(engine: Engine, python: str = sys.executable, timeout: float = TIMEOUT_SECONDS) -> Health:
    """Tries an engine in a process of its own, under the interpreter ``python``."""
    try:
        tried = subprocess.run(
            (python, "-c", _PRELUDE.format(module=engine.module) + engine.probe),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Health(engine, State.BROKEN, detail=f"importing it took more than {timeout:.0f} seconds")
    if tried.returncode == _MISSING:
        return Health(engine, State.MISSING)
    if tried.returncode:
        return Health(engine, State.BROKEN, detail=_last_line(tried.stderr) or f"exit status {tried.returncode}")
    version, *abilities = json.loads(tried.stdout.splitlines()[-1])
    return Health(engine, State.WORKS, version, ", ".join(abilities))


def examine_all(engines: Sequence[Engine] | None = None) -> list[Health]:
    """Tries engines, all at the same time."""
    engines = ENGINES if engines is None else engines
    with ThreadPoolExecutor(max_workers=len(engines) or 1) as pool:
        return list(pool.map(examine, engines))


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "")


_MISSING = 77

_PRELUDE = f"""
import importlib.util, json, sys
if importlib.util.find_spec("{{module}}") is None:
    sys.exit({_MISSING})
"""

_DDP = """
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
assert dist.is_available(), "this PyTorch was built without torch.distributed"
able = [name for name in ("gloo", "nccl", "mpi") if getattr(dist, f"is_{name}_available")()]
gpus = torch.cuda.device_count() if torch.cuda.is_available() else 0
print(json.dumps([torch.__version__, *able, f"{gpus} GPUs" if gpus else "no GPU"]))
"""

_HOROVOD = """
import horovod, horovod.torch as hvd
able = [name for name in ("gloo", "mpi", "nccl") if getattr(hvd, f"{name}_built")()]
print(json.dumps([horovod.__version__, *able]))
"""

DDP = Engine("ddp", "PyTorch DDP", "torch", _DDP, "pip install torch")
HOROVOD = Engine("horovod", "Horovod for PyTorch", "horovod", _HOROVOD, "rueda setup horovod")
ENGINES = (DDP, HOROVOD)
