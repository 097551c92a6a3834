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
        modules: its top packages; without any of them the engine is missing.
        probe: Python that fails unless the engine works; prints a list: version, then what it can do. It says
            ``missing(why)`` when what is installed was not made for it.
        advice: how to get it.
    """

    name: str
    title: str
    modules: tuple[str, ...]
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
            (python, "-c", _PRELUDE + engine.probe, *engine.modules),
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
        return Health(engine, State.MISSING, detail=_last_line(tried.stdout))
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

_PRELUDE = """
import sys
sys.path[:] = [path for path in sys.path if path]  # what lies in the current folder is no engine
import importlib.util, json, os, sys
from importlib.metadata import version
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

def missing(why):
    print(why)
    sys.stdout.flush()
    os._exit(MISSING)

def counted(gpus):
    return f"{gpus} GPU{'s' * (gpus != 1)}" if gpus else "no GPU"

if absent := [module for module in sys.argv[1:] if importlib.util.find_spec(module) is None]:
    missing(" and ".join(absent) + (" are" if absent[1:] else " is") + " not installed")
""".replace("MISSING", str(_MISSING))

_DDP = """
import torch, torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
assert dist.is_available(), "this PyTorch was built without torch.distributed"
able = [name for name in ("gloo", "nccl", "mpi") if getattr(dist, f"is_{name}_available")()]
print(json.dumps([torch.__version__, *able, counted(torch.cuda.device_count() if torch.cuda.is_available() else 0)]))
"""

_HOROVOD = """
import glob, importlib
framework = sys.argv[1]
folder = importlib.util.find_spec("horovod").submodule_search_locations[0]
if not glob.glob(os.path.join(folder, framework, "mpi_lib*.so")):
    missing("the Horovod here was built without " + framework)
import horovod
hvd = importlib.import_module("horovod." + framework)
able = [name for name in ("gloo", "mpi", "nccl") if getattr(hvd, f"{name}_built")()]
print(json.dumps([horovod.__version__, *able]))
"""

_MIRRORED = """
import tensorflow as tf
tf.distribute.MirroredStrategy
print(json.dumps([tf.__version__, "Keras " + version("keras"), counted(len(tf.config.list_physical_devices("GPU")))]))
"""

_MULTIWORKER = """
import tensorflow as tf
tf.distribute.MultiWorkerMirroredStrategy
if version("keras").startswith("2."):
    fit = "fit and own loops"
elif importlib.util.find_spec("tf_keras"):
    fit = "own loops, fit with TF_USE_LEGACY_KERAS=1"
else:
    fit = "own loops, fit only with tf_keras"
gpus = counted(len(tf.config.list_physical_devices("GPU")))
print(json.dumps([tf.__version__, "Keras " + version("keras"), fit, gpus]))
"""

_KERAS_DISTRIBUTION = """
if int(version("keras").split(".")[0]) < 3:
    missing(f"Keras {version('keras')} is installed, and it takes Keras 3")
os.environ.update(KERAS_BACKEND="jax", XLA_PYTHON_CLIENT_PREALLOCATE="false")
import jax, keras
keras.distribution.DataParallel
gpus = jax.device_count() if jax.default_backend() == "gpu" else 0
print(json.dumps([keras.__version__, f"JAX {jax.__version__}", counted(gpus)]))
"""

DDP = Engine("ddp", "PyTorch DDP", ("torch",), _DDP, "pip install torch")
HOROVOD_PYTORCH = Engine("horovod", "Horovod for PyTorch", ("torch", "horovod"), _HOROVOD, "corro setup horovod")
HOROVOD_TENSORFLOW = Engine(
    "horovod",
    "Horovod for TensorFlow",
    ("tensorflow", "horovod"),
    _HOROVOD,
    'pip install "tensorflow<2.16" (Python 3.11 or older), then corro setup horovod',
)
MIRRORED = Engine("mirrored", "MirroredStrategy", ("tensorflow",), _MIRRORED, "pip install tensorflow")
MULTIWORKER = Engine(
    "multiworker", "MultiWorkerMirroredStrategy", ("tensorflow",), _MULTIWORKER, "pip install tensorflow"
)
KERAS_DISTRIBUTION = Engine(
    "keras-distribution",
    "Keras distribution",
    ("keras", "jax"),
    _KERAS_DISTRIBUTION,
    'pip install "keras>=3" jax (not where TensorFlow 2.15 is installed)',
)
ENGINES = (DDP, HOROVOD_PYTORCH, HOROVOD_TENSORFLOW, MIRRORED, MULTIWORKER, KERAS_DISTRIBUTION)
