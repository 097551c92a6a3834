"""What is done when a module is imported, which may be never."""

from __future__ import annotations

import importlib.abc
import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

Then = Callable[[ModuleType], None]


def after_import(name: str, then: Then) -> None:
    """Do something to a module once it is loaded; at once where it is."""
    if name in sys.modules:
        then(sys.modules[name])
    else:
        sys.meta_path.insert(0, _Later(name, then))


class _Later(importlib.abc.MetaPathFinder):
    """Waits for one module."""

    def __init__(self, name: str, then: Then) -> None:
        self._name = name
        self._then = then

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Find the module as if this finder were not here, and add to its loading."""
        if name != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def execute(module: ModuleType) -> None:
                load(module)
                self._then(module)

            spec.loader.exec_module = execute  # type: ignore[method-assign]
        return spec
