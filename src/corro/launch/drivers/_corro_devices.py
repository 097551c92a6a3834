"""Gives TensorFlow the devices of this process, as soon as the program has imported it.

A launcher says in ``CORRO_DEVICES`` which part of the machine's GPUs is meant, as ``FIRST:END``. Where TensorFlow sees
no GPU, the CPU is divided into as many logical devices, so that a strategy of several replicas can be tried anywhere.
Both have to be said before TensorFlow is used and not before the script had its say on how it is imported (its log
level, its Keras), hence this hook after the import.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

VARIABLE = "CORRO_DEVICES"
_MODULE = "tensorflow"


def install() -> None:
    """Waits for the import of TensorFlow, if a launcher asks for it."""
    if VARIABLE in os.environ and _MODULE in sys.modules:
        _take_devices(sys.modules[_MODULE])
    elif VARIABLE in os.environ:
        sys.meta_path.insert(0, _Finder())


class _Finder(MetaPathFinder):
    """Finds TensorFlow once, as Python would, and acts when it is loaded."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != _MODULE:
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            _act_after(spec.loader)
        return spec


def _act_after(loader: Any) -> None:
    load = loader.exec_module

    def load_and_act(module: ModuleType) -> None:
        del loader.exec_module
        load(module)
        _take_devices(module)

    loader.exec_module = load_and_act


def _take_devices(tensorflow: Any) -> None:
    first, end = map(int, os.environ[VARIABLE].split(":"))
    config = tensorflow.config
    if gpus := config.list_physical_devices("GPU"):
        if len(gpus) < end:
            raise SystemExit(
                f"{end} GPUs are needed and TensorFlow sees {len(gpus)}: give -n {len(gpus)}, or set "
                "CUDA_VISIBLE_DEVICES to nothing to try it on the CPU"
            )
        config.set_visible_devices(gpus[first:end], "GPU")
    elif end - first > 1:
        cpu = config.list_physical_devices("CPU")[0]
        config.set_logical_device_configuration(cpu, [config.LogicalDeviceConfiguration()] * (end - first))
