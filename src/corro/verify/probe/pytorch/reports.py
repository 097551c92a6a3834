"""What a script saves, what it hands to writers of scalars, and what to a scheduler that decides on it."""

from __future__ import annotations

import functools
import os
from types import ModuleType
from typing import Any

import torch

from corro.verify.probe.decisions import shown
from corro.verify.probe.imports import after_import
from corro.verify.probe.pytorch.state import checksum, norm
from corro.verify.probe.session import Session
from corro.verify.records import Saved

_WRITERS = "torch.utils.tensorboard.writer"
_TRACKERS = ("wandb", "swanlab")
"""Trackers of which a run is begun by ``init``, and reported to by ``log``."""
_STORAGES = (torch.UntypedStorage, torch.TypedStorage)
"""What PyTorch itself hands to ``torch.save``, whenever a tensor is pickled."""


def install(session: Session) -> None:
    """Watch ``torch.save``, and TensorBoard's writer once it is imported."""
    save = torch.save

    @functools.wraps(save)
    def observed(obj: Any, f: Any, *args: Any, **kwargs: Any) -> None:
        path = os.fspath(f) if isinstance(f, (str, os.PathLike)) else getattr(f, "name", "")
        if isinstance(f, (str, os.PathLike)):
            session.claim(os.fsdecode(path))
        save(obj, f, *args, **kwargs)
        if path != os.devnull and not isinstance(obj, _STORAGES):
            name = os.path.relpath(os.path.abspath(os.fsdecode(path))) if isinstance(path, (str, bytes)) else ""
            session.record.saves.append(Saved(name, type(obj).__name__, flattened(obj), session.line()))
        session.beat()

    torch.save = observed
    _watch_plateau(session)
    after_import(_WRITERS, lambda module: _watch_writer(module, session))
    for name in _TRACKERS:
        after_import(name, lambda module: _watch_tracker(module, session))


def flattened(value: Any, key: str = "") -> dict[str, str]:
    """What is in an object: keys with a tensor's shape, checksum and norm, with numbers, or with a type's name."""
    if isinstance(value, torch.Tensor):
        number = value.item() if value.numel() == 1 else norm(value)
        return {key: f"{value.dtype}{list(value.shape)} {checksum(value):08x} {number:.6g}"}
    if isinstance(value, torch.nn.Module):
        return {key: type(value).__name__, **flattened(value.state_dict(), f"{key}.state")}
    if isinstance(value, dict):
        parts = [flattened(each, f"{key}.{name}") for name, each in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [flattened(each, f"{key}.{name}") for name, each in enumerate(value)]
    elif isinstance(value, (int, float, str)):
        return {key: str(value)}
    else:
        return {key: type(value).__name__}
    return {name: entry for part in parts for name, entry in part.items()}


def _watch_plateau(session: Session) -> None:
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau
    plain = plateau.step

    @functools.wraps(plain)
    def step(self: Any, metrics: Any, *args: Any, **kwargs: Any) -> Any:
        session.record.judged.setdefault(session.line(), []).append(shown(metrics))
        return plain(self, metrics, *args, **kwargs)

    plateau.step = step


def _watch_writer(module: ModuleType, session: Session) -> None:
    """Its scalars, and its file: beside TensorFlow it is not Python that opens it."""
    made = module.SummaryWriter._get_file_writer

    @functools.wraps(made)
    def open_file(self: Any) -> Any:
        if self.file_writer is None and self.all_writers is None:
            session.claim(os.path.join(self.log_dir, "events.out.tfevents.0"))
        return made(self)

    module.SummaryWriter._get_file_writer = open_file
    plain = module.SummaryWriter.add_scalar

    @functools.wraps(plain)
    def add(self: Any, tag: str, scalar_value: Any, global_step: Any = None, *args: Any, **kwargs: Any) -> Any:
        shown = {"value": f"{float(scalar_value):.9g}"}
        session.record.reports.append(Saved(str(tag), str(global_step), shown, session.line()))
        return plain(self, tag, scalar_value, global_step, *args, **kwargs)

    module.SummaryWriter.add_scalar = add


def _watch_tracker(module: ModuleType, session: Session) -> None:
    """The numbers that are logged. Nothing is sent: two runs of a verification would be two runs in the tracker."""
    begin = module.init

    @functools.wraps(begin)
    def init(*args: Any, **kwargs: Any) -> Any:
        run = begin(*args, **{**kwargs, "mode": "disabled"})
        if isinstance(getattr(run, "dir", None), str):
            os.makedirs(run.dir, exist_ok=True)
        plain = run.log

        @functools.wraps(plain)
        def log(data: Any, step: Any = None, *args: Any, **kwargs: Any) -> Any:
            for tag, value in data.items() if isinstance(data, dict) else ():
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    shown = {"value": f"{float(value):.9g}"}
                    session.record.reports.append(Saved(str(tag), str(step), shown, session.line()))
            return plain(data, step, *args, **kwargs)

        run.log = log
        vars(module)["log"] = log
        return run

    vars(module)["init"] = init
