"""The engines that Corro compiles to, in a folder for each frontend they serve; there is no list to keep.

A name such as ``horovod`` can stand in several folders: one engine, spelt for several frameworks.
"""

from __future__ import annotations

import importlib

from corro import found
from corro.errors import UsageError
from corro.targets.base import Batches, Code, RankedTarget, Started, Target

__all__ = ["Batches", "Code", "RankedTarget", "Started", "Target", "beside", "frontends", "get", "names", "served"]


def frontends() -> tuple[str, ...]:
    """The frontends that have targets."""
    return tuple(found.packages(__path__))


def names(frontend: str = "") -> tuple[str, ...]:
    """The names of all targets that serve a frontend (of all, without one), sorted: the file names in its folder."""
    folders = (frontend,) if frontend else frontends()
    known = {name for folder in folders for name in found.modules(f"{path}/{folder}" for path in __path__)}
    return tuple(sorted(name.replace("_", "-") for name in known))


def served(name: str) -> tuple[str, ...]:
    """The frontends that a target serves."""
    return tuple(folder for folder in frontends() if name in names(folder))


def get(name: str, frontend: str) -> type[Target]:
    """The target with this name for a frontend.

    Raises:
        UsageError: there is none, or it does not serve the frontend.
    """
    if name not in names():
        raise UsageError(f"there is no target {name!r}.", advice=f"Choose one of: {', '.join(names())}.")
    if name not in names(frontend):
        others = " and ".join(served(name))
        raise UsageError(
            f"the target {name!r} is for {others} scripts, and this one trains with {frontend}.",
            advice=f"Choose one of: {', '.join(names(frontend))}.",
        )
    module = importlib.import_module(f"{__name__}.{frontend}.{name.replace('-', '_')}")
    return next(
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Target) and vars(value).get("name") == name
    )


def beside(target: type[Target]) -> tuple[type[Target], ...]:
    """The other targets of the frontend that a target is for."""
    frontend = target.__module__.split(".")[-2]
    return tuple(get(name, frontend) for name in names(frontend) if name != target.name)
