"""What a script saves, what ``fit`` reports and what callbacks decide on, and files that TensorFlow opens by itself."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Callable
from typing import Any

import tensorflow as tf
from tensorflow.python.checkpoint import checkpoint
from tensorflow.python.lib.io import file_io

from corro.verify.probe.fitting import reports
from corro.verify.probe.keras.engine import engine
from corro.verify.probe.keras.tensors import array
from corro.verify.probe.session import Session
from corro.verify.records import Saved

_REMOVED = "workertemp_"
_RENAMED = re.compile(r"\.tmp[0-9a-f]{32}$")


def install(session: Session) -> None:
    """Watch what is saved, reported and decided, and stop the clock of progress bars."""
    reports.stop_clock(session, engine("utils.generic_utils"))
    watch_files(session)
    _watch_saving(session)
    reports.watch_callbacks(session, engine("callbacks"), array)
    _watch_summaries(session)
    session.at_end.append(lambda: leave_out_what_is_removed(session))


def leave_out_what_is_removed(session: Session) -> None:
    """All workers save, and TensorFlow removes what those write that are not the chief; some files it renames."""
    writes = session.record.writes
    writes[:] = [
        each
        for each in writes
        if not any(part.startswith(_REMOVED) for part in each.split("/")) and not _RENAMED.search(each)
    ]


def watch_files(session: Session) -> None:
    """Python's own files are announced by Python; these are not, and are opened when something is written first.

    Keras opens files for writing that it only loads.
    """
    checked = file_io.FileIO._prewrite_check

    @functools.wraps(checked)
    def check(self: Any) -> None:
        if self._writable_file is None and set(self.mode) & set("wa+") and _is_local(self.name):
            session.claim(os.fspath(self.name))
        checked(self)

    file_io.FileIO._prewrite_check = check
    saver = checkpoint.TrackableSaver
    saver.save = _claiming(saver.save, session, lambda self, file_prefix, *_, **__: file_prefix)
    tf.saved_model.save = _claiming(tf.saved_model.save, session, lambda obj, export_dir, *_, **__: export_dir)


def _claiming(plain: Callable[..., Any], session: Session, path: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(plain)
    def save(*args: Any, **kwargs: Any) -> Any:
        place = os.fspath(array(path(*args, **kwargs)).item())
        session.claim(os.fsdecode(place))
        return plain(*args, **kwargs)

    return save


def _is_local(name: Any) -> bool:
    return "://" not in os.fspath(name) and not os.path.basename(os.path.dirname(os.fspath(name))).startswith("tmp")


def _watch_saving(session: Session) -> None:
    module = engine("saving.saving_api")
    for name in ("save_model", "save_weights"):
        plain = getattr(module, name)
        saving = reports.saving(plain, session, functools.partial(_entries, with_optimizer=name == "save_model"))
        setattr(module, name, saving)
        for public in (tf.keras.models, engine("saving.legacy.save")):
            if getattr(public, name, None) is plain:
                setattr(public, name, saving)


def _entries(model: Any, path: str, *, with_optimizer: bool) -> dict[str, str]:
    entries = reports.tensors((str(each.name), array(each)) for each in model.weights)
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or not with_optimizer or not path.endswith(".keras"):  # other files have its class's name only
        return entries
    return entries | reports.optimizer(engine("saving.serialization_lib").serialize_keras_object(optimizer))


def _watch_summaries(session: Session) -> None:
    """Writers of scalars: their files are opened behind Python's back."""
    for module in (tf.summary, tf.compat.v2.summary):
        module.create_file_writer = _writing(module.create_file_writer, session)
        module.scalar = _scalar(module.scalar, session)


def _writing(plain: Callable[..., Any], session: Session) -> Callable[..., Any]:
    @functools.wraps(plain)
    def create(logdir: Any, *args: Any, **kwargs: Any) -> Any:
        session.claim(os.path.join(os.fspath(logdir), "events.out.tfevents.0"))
        return plain(logdir, *args, **kwargs)

    return create


def _scalar(plain: Callable[..., Any], session: Session) -> Callable[..., Any]:
    @functools.wraps(plain)
    def scalar(name: str, data: Any, step: Any = None, *args: Any, **kwargs: Any) -> Any:
        if not array(tf.summary.should_record_summaries()):
            return plain(name, data, step, *args, **kwargs)
        number = tf.summary.experimental.get_step() if step is None else step
        shown_step = "" if number is None else str(int(array(number)))
        report = {"value": f"{float(array(data)):.9g}"}
        session.record.reports.append(Saved(str(name), shown_step, report, session.line()))
        return plain(name, data, step, *args, **kwargs)

    return scalar
