"""What a script saves, what ``fit`` reports, and what callbacks decide on."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType, SimpleNamespace
from typing import Any

from corro.verify.probe.decisions import shown
from corro.verify.probe.fitting.arrays import Array, checksum, norm
from corro.verify.probe.session import Session
from corro.verify.records import Saved

_MOMENT = 1e-9
_DECIDING = ("EarlyStopping", "ReduceLROnPlateau")
_RATES = ("lr", "learning_rate")

ToArray = Callable[[Any], Array]


def stop_clock(session: Session, module: ModuleType) -> None:
    """Progress bars of a module show no times."""
    vars(module)["time"] = SimpleNamespace(time=lambda: _MOMENT)
    session.say("progress bars show no times, and the last line of each epoch only")


def saving(plain: Callable[..., Any], session: Session, entries: Callable[[Any, str], dict[str, str]]) -> Any:
    """A function that saves a model, with its file announced and what is in it noted.

    Args:
        plain: takes a model and a path first.
        session: gets the note.
        entries: what is in it, by the model and the path.
    """

    @functools.wraps(plain)
    def save(model: Any, filepath: Any, *args: Any, **kwargs: Any) -> Any:
        is_path = isinstance(filepath, (str, os.PathLike))
        path = os.fspath(filepath) if is_path else ""
        if is_path:
            session.claim(path)
        made = plain(model, filepath, *args, **kwargs)
        if path != os.devnull:
            name = os.path.relpath(os.path.abspath(path)) if path else ""
            session.record.saves.append(Saved(name, type(model).__name__, entries(model, path), session.line()))
        session.beat()
        return made

    return save


def tensors(named: Iterable[tuple[str, Array]]) -> dict[str, str]:
    """Each weight's type, shape, checksum and norm."""
    found: dict[str, str] = {}
    for name, plain in named:
        key = f".{name}"
        while key in found:
            key += "'"
        found[key] = f"tf.{plain.dtype}{list(plain.shape)} {checksum(plain):08x} {norm(plain):.6g}"
    return found


def optimizer(described: Mapping[str, Any]) -> dict[str, str]:
    """The class that will be looked for when a model is loaded, and in which package."""
    return {".optimizer": f"{described['class_name']} of {str(described['module']).partition('.')[0]}"}


def watch_callbacks(session: Session, callbacks: Any, array: ToArray) -> None:
    """Note what callbacks decide on, and what each epoch reports."""
    for name in _DECIDING:
        kind = getattr(callbacks, name)
        kind.on_epoch_end = _deciding(kind.on_epoch_end, name, session)
    plain = callbacks.History.on_epoch_end

    @functools.wraps(plain)
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> None:
        for tag, value in (logs or {}).items():
            if tag not in _RATES and array(value).ndim == 0:
                report = {"value": f"{float(array(value)):.9g}"}
                session.record.reports.append(Saved(f"fit {tag}", str(epoch), report, session.line()))
        plain(self, epoch, logs)

    callbacks.History.on_epoch_end = on_epoch_end


def _deciding(plain: Callable[..., Any], name: str, session: Session) -> Callable[..., Any]:
    @functools.wraps(plain)
    def on_epoch_end(self: Any, epoch: int, logs: Any = None) -> None:
        value = (logs or {}).get(self.monitor)
        session.record.judged.setdefault(f"{session.line()} {name}", []).append(shown(value))
        plain(self, epoch, logs)

    return on_epoch_end
