"""Imported first, stands for a tracker that is not installed: runs that say nothing, and their settings."""

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class _Settings(dict[str, Any]):
    def __getattr__(self, name: str) -> Any:
        return self[name]

    def update(self, values: dict[str, Any], allow_val_change: bool = False) -> None:  # type: ignore[override]
        del allow_val_change
        super().update(values)


class _Run:
    def __init__(self, settings: dict[str, Any]) -> None:
        self.config = _Settings(settings)
        self.summary: dict[str, Any] = {}

    def log(self, data: dict[str, Any], step: int | None = None) -> None:
        """Nothing is kept."""

    def finish(self) -> None:
        """Nothing to do."""


def _init(project: str = "", config: dict[str, Any] | None = None, mode: str | None = None) -> _Run:
    del project, mode
    run = _Run(config or {})
    vars(module).update(run=run, config=run.config, log=run.log, finish=run.finish)
    return run


module = ModuleType("wandb")
module.__spec__ = ModuleSpec("wandb", None)  # Accelerate asks importlib whether it is there
vars(module)["init"] = _init
sys.modules["wandb"] = module
