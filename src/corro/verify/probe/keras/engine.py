"""Which package is Keras 2: ``keras`` up to 2.15, ``tf_keras`` beside Keras 3."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType


@cache
def _package() -> str:
    for name in ("keras", "tf_keras"):
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if module.__version__.startswith("2."):
            return name
    raise ImportError("Keras 2 is not installed here: programs of Keras 3 cannot be observed")


def engine(name: str) -> ModuleType:
    """A module of Keras 2 by its name below the package."""
    return importlib.import_module(f"{_package()}.src.{name}")
