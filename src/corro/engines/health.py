"""Whether an engine works here: it is imported, in a process of its own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from corro import targets
from corro.cache import cache_directory
from corro.writing import write_atomically

TIMEOUT_SECONDS = 180.0
_KEPT = 100


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
            ``missing(why)`` when what is installed was not made for it, and ``counted(gpus)``.
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


def examine_each(engines: Sequence[Engine], *, fresh: bool = False) -> Iterator[tuple[Health, bool]]:
    """Tries engines, all at the same time, and gives each as soon as it is known; whether it was remembered.

    What works is remembered until something is installed, removed or seen otherwise; with ``fresh`` it is tried again.
    """
    file = cache_directory() / "engines.json"
    known = {} if fresh else _remembered(file)
    signs = {engine: _signs(engine) for engine in engines}
    rest = [engine for engine in engines if signs[engine] not in known]
    for engine in engines:
        if engine not in rest:
            yield Health(engine, State.WORKS, *known[signs[engine]]), True
    with ThreadPoolExecutor(max_workers=len(rest) or 1) as pool:
        for done in as_completed([pool.submit(examine, engine) for engine in rest]):
            health = done.result()
            if health.state is State.WORKS:
                known[signs[health.engine]] = [health.version, health.detail]
                _remember(file, known)
            yield health, False


def _signs(engine: Engine) -> str:
    """What an engine's health hangs on, as far as a look at folders tells: it changes with what is installed."""
    folders = [Path(path) for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    times = [folder.stat().st_mtime_ns for folder in folders if folder.is_dir()]
    seen = [os.environ.get(name) for name in ("CUDA_VISIBLE_DEVICES", "LD_LIBRARY_PATH", "PYTHONPATH", "PATH")]
    told = repr((sys.executable, sys.version, engine.name, engine.modules, engine.probe, times, seen))
    return hashlib.sha256(told.encode()).hexdigest()


def _remembered(file: Path) -> dict[str, list[str]]:
    with contextlib.suppress(OSError, ValueError):
        told = json.loads(file.read_bytes())
        return told if isinstance(told, dict) else {}
    return {}


def _remember(file: Path, known: dict[str, list[str]]) -> None:
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps(dict(list(known.items())[-_KEPT:])).encode())


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


def engine_of(target: str, frontend: str) -> Engine:
    """The engine that runs programs of a target."""
    needed = targets.get(target, frontend).installation
    return Engine(target, needed.title, needed.modules, needed.probe, needed.advice)


_ALL = {engine_of(name, frontend) for frontend in targets.frontends() for name in targets.names(frontend)}
ENGINES = tuple(sorted(_ALL, key=lambda engine: engine.title))
"""Those of all targets."""
