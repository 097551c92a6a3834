"""What a script saves with a ``Saver``, what it hands to writers of summaries, and what hooks print of times."""

from __future__ import annotations

import functools
import itertools
import logging
import os
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import tensorflow.compat.v1 as tf
from tensorflow.python.ops import gen_logging_ops
from tensorflow.python.platform import tf_logging
from tensorflow.python.summary.writer import event_file_writer, writer
from tensorflow.python.training import basic_session_run_hooks, saver, training_util

from corro.verify.probe.fitting import reports
from corro.verify.probe.keras.reports import leave_out_what_is_removed, watch_files
from corro.verify.probe.session import Session
from corro.verify.probe.tensorflow1.state import zip_values
from corro.verify.records import Saved

_TICK = 1e-6
_TIMED = "/sec"


def install(session: Session) -> None:
    """Watch what is saved and reported."""
    watch_files(session)
    saver.Saver.save = _saving(saver.Saver.save, session)
    _watch_summaries(session)
    _count_instead_of_time(session)
    _log_where_the_script_prints()
    session.at_end.append(lambda: leave_out_what_is_removed(session))


class _Errors:
    """Standard error as it is when something is written: TensorFlow keeps the stream that it found first."""

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr, name)


def _log_where_the_script_prints() -> None:
    for each in tf_logging.get_logger().handlers:
        if isinstance(each, logging.StreamHandler) and each.stream is sys.stderr:
            each.setStream(_Errors())


def _count_instead_of_time(session: Session) -> None:
    """Hooks print, and report, how long steps took: for them each look at the clock takes as long."""
    looks = itertools.count(1)
    clock = SimpleNamespace(time=lambda: _TICK * next(looks), sleep=lambda seconds: None)
    vars(basic_session_run_hooks)["time"] = clock
    session.say("hooks of sessions show no times")


def _saving(plain: Callable[..., Any], session: Session) -> Callable[..., Any]:
    @functools.wraps(plain)
    def save(this: Any, sess: Any, save_path: Any, global_step: Any = None, *args: Any, **kwargs: Any) -> Any:
        number = global_step
        if number is not None and not isinstance(number, tf.compat.integral_types):
            number = training_util.global_step(sess, number)
        path = os.fspath(save_path) + ("" if number is None else f"-{int(number)}")
        session.claim(path)
        made = plain(this, sess, save_path, global_step, *args, **kwargs)
        held = this._var_list or []
        variables = [
            each for each in (held.values() if isinstance(held, dict) else held) if isinstance(each, tf.Variable)
        ]
        entries = reports.tensors((str(each.name), value) for each, value in zip_values(sess.run, variables))
        session.record.saves.append(Saved(os.path.relpath(os.path.abspath(path)), "Saver", entries, session.line()))
        session.beat()
        return made

    return save


def _watch_summaries(session: Session) -> None:
    """Their files, and the numbers in them, with the places where the script makes them a part of its graph."""
    places: dict[str, str] = {}
    made = gen_logging_ops.scalar_summary

    @functools.wraps(made)
    def scalar_summary(tags: Any, *args: Any, **kwargs: Any) -> Any:
        places[str(tags)] = session.line()
        return made(tags, *args, **kwargs)

    gen_logging_ops.scalar_summary = scalar_summary
    opened = event_file_writer.EventFileWriter.__init__

    @functools.wraps(opened)
    def open_file(self: Any, logdir: Any, *args: Any, **kwargs: Any) -> None:
        session.claim(os.path.join(os.fspath(logdir), "events.out.tfevents.0"))
        opened(self, logdir, *args, **kwargs)

    event_file_writer.EventFileWriter.__init__ = open_file
    plain = writer.SummaryToEventTransformer.add_summary

    @functools.wraps(plain)
    def add_summary(self: Any, summary: Any, global_step: Any = None) -> Any:
        read = tf.Summary.FromString(summary) if isinstance(summary, bytes) else summary
        for each in read.value:
            if each.HasField("simple_value") and not each.tag.endswith(_TIMED):
                report = {"value": f"{each.simple_value:.9g}"}
                place = places.get(each.tag) or session.line()
                session.record.reports.append(Saved(each.tag, str(global_step or 0), report, place))
        return plain(self, summary, global_step)

    writer.SummaryToEventTransformer.add_summary = add_summary
