"""What a forked process becomes: a script with the noise off and the order of samples fixed, watched at its end."""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
import random
import sys
import threading
import traceback
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

REPORT = "report.pickle"
COARSE = 100


@dataclass
class Report:
    """What a process leaves besides its output and its files."""

    weights: list[np.ndarray] = field(default_factory=list)
    origins: list[set[str]] = field(default_factory=list)
    error: str = ""


Weights = Callable[[dict[str, Any]], list[np.ndarray]]
"""Reads what was trained from a script's names."""


def play(script: Path, folder: Path, name: str, environment: dict[str, str], framework: str, jitter: int) -> None:
    """Run a script as ``__main__`` in a folder of its own; never returns.

    ``jitter`` other than 0 moves gradients by a rounding error at each step, and with PyTorch what ``item()`` gives:
    how much a number then moves is what rounding does to it. One of ``COARSE`` or more moves gradients by a fifth
    instead, as samples do that are repeated to fill up a batch.
    """
    os.environ.update(environment)
    room = folder / "room"
    room.mkdir(parents=True, exist_ok=True)
    os.chdir(room)
    for number, stream in enumerate(("in", "out", "err")):
        path = os.devnull if stream == "in" else str(folder / f"{name}.{stream}")
        opened = os.open(path, os.O_RDONLY if stream == "in" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    warnings.simplefilter("ignore")
    report = Report()
    main = types.ModuleType("__main__")
    status = 1
    try:
        weights: Weights = importlib.import_module(f"fuzz.still_{framework}").install(jitter)
        sys.stdout = Recorder(sys.stdout, script.parent, report.origins)  # type: ignore[assignment]
        _execute(script, main)
        status = 0
    except SystemExit as ending:
        status = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
        if isinstance(ending.code, str):
            print(ending.code, file=sys.stderr)
            report.error = f"SystemExit: {ending.code}"
    except BaseException as error:
        traceback.print_exc()
        report.error = f"{type(error).__name__}: {error}"
    try:
        report.weights = weights(vars(main))
        (folder / f"{name}.{REPORT}").write_bytes(pickle.dumps(report))
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _execute(script: Path, main: types.ModuleType) -> None:
    main.__file__ = str(script)
    sys.modules["__main__"] = main
    sys.argv = [script.name]
    sys.path[0] = str(script.parent)
    random.seed(0)
    np.random.seed(0)
    exec(compile(script.read_bytes(), str(script), "exec", dont_inherit=True), vars(main))


class Recorder:
    """Standard output that knows which lines of the script each of its lines came from."""

    def __init__(self, stream: Any, folder: Path, origins: list[set[str]]) -> None:
        self.stream, self.folder, self.origins = stream, f"{folder}{os.sep}", origins
        self.begun: set[str] = set()

    def write(self, text: str) -> int:
        frame = sys._getframe(1)
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self.folder):
                self.begun.add(f"{Path(path).name}:{frame.f_lineno}")
            frame = frame.f_back  # type: ignore[assignment]
        for _ in range(text.count("\n")):
            self.origins.append(set(self.begun))
        if text.endswith("\n"):
            self.begun.clear()
        return int(self.stream.write(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
