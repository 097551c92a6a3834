"""Takes chance out of Keras, so that the losses of two runs can be compared: one seed, no shuffling, no dropout.

`real_world.py --run` puts this folder in front of PYTHONPATH. In the folder that ``STEADY_TIMES`` names, each process
leaves how many seconds went by from the import of TensorFlow to its end. Python imports one ``sitecustomize`` only, so
the next one on the path is run from here.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import importlib.util
import os
import random
import runpy
import sys
import time
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any


def _unshuffled(trainer: str) -> Callable[[Any], None]:
    def change(module: Any) -> None:
        owner = getattr(module, trainer)
        fit = owner.fit

        def unshuffled(self: Any, *args: Any, **options: Any) -> Any:
            return fit(self, *args, **{**options, "shuffle": False})

        owner.fit = unshuffled

    return change


def _seeded(module: Any) -> None:
    """Whatever seed a program sets later, or does not set, is this one: they start with the same weights."""
    numpy = importlib.import_module("numpy").random
    for owner, name in ((random, "seed"), (numpy, "seed"), (module, "set_seed")):
        plain = getattr(owner, name, None)
        if plain is not None:
            plain(1)
            setattr(owner, name, functools.partial(_ignoring, plain))


def _ignoring(plain: Callable[[int], None], *_: Any, **__: Any) -> None:
    plain(1)


def _without_dropout(module: Any) -> None:
    module.Dropout.call = lambda self, inputs, training=None: inputs


def _in_order(module: Any) -> None:
    module.DatasetV2.shuffle = lambda self, *args, **options: self


def _timed(module: Any) -> None:
    folder, begin = os.environ.get("STEADY_TIMES"), time.monotonic()
    if folder:
        file = Path(folder, str(os.getpid()))
        atexit.register(lambda: file.write_text(str(time.monotonic() - begin)))


_CHANGES: dict[str, Callable[[Any], None]] = {
    "tensorflow": _timed,
    "keras.src.engine.training": _unshuffled("Model"),
    "keras.src.backend.jax.trainer": _unshuffled("JAXTrainer"),
    "keras.src.backend.tensorflow.trainer": _unshuffled("TensorFlowTrainer"),
    "keras.src.layers.regularization.dropout": _without_dropout,
    "tensorflow.python.data.ops.dataset_ops": _in_order,
    "tensorflow.python.framework.random_seed": _seeded,
    "keras.src.random.seed_generator": _seeded,
}


class _Finder:
    """Changes a module once it is loaded."""

    def __init__(self) -> None:
        self._busy: set[str] = set()

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in _CHANGES or name in self._busy:
            return None
        self._busy.add(name)
        spec = importlib.util.find_spec(name)
        loader: Any = spec.loader if spec is not None else None
        if loader is not None:
            load = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                load(module)
                _CHANGES[name](module)

            loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Finder())  # type: ignore[arg-type]
for _folder in os.environ.get("PYTHONPATH", "").split(os.pathsep):
    _next = Path(_folder, "sitecustomize.py")
    if _folder and _next.is_file() and not _next.samefile(__file__):
        runpy.run_path(str(_next))
        break
