"""The engines that Rueda compiles to. Each file but ``base`` and ``naming`` defines one; there is no list to keep."""

from __future__ import annotations

import importlib
import pkgutil

from rueda.errors import UsageError
from rueda.targets.base import Code, Target

__all__ = ["Code", "Target", "get", "names"]


def names() -> tuple[str, ...]:
    """The names of all targets, sorted: the file names in this package."""
    return tuple(sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name not in ("base", "naming")))


def get(name: str) -> type[Target]:
    """The target with this name.

    Raises:
        UsageError: there is none.
    """
    if name not in names():
        raise UsageError(f"there is no target {name!r}.", advice=f"Choose one of: {', '.join(names())}.")
    module = importlib.import_module(f"rueda.targets.{name}")
    return next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Target) and value is not Target
    )
