"""What a script saves, what ``fit`` reports and what callbacks decide on."""

from __future__ import annotations

import functools
from typing import Any

import keras
from keras.src.saving import saving_api, serialization_lib
from keras.src.utils import progbar

from corro.verify.probe.fitting import reports
from corro.verify.probe.keras3.tensors import array
from corro.verify.probe.session import Session


def install(session: Session) -> None:
    """Watch what is saved, reported and decided, and stop the clock of progress bars."""
    reports.stop_clock(session, progbar)
    reports.watch_callbacks(session, keras.callbacks, array)
    for name in ("save_model", "save_weights"):
        plain = getattr(saving_api, name)
        saving = reports.saving(plain, session, functools.partial(_entries, with_optimizer=name == "save_model"))
        for module in (saving_api, keras.saving, keras.models):
            if getattr(module, name, None) is plain:
                setattr(module, name, saving)


def _entries(model: Any, path: str, *, with_optimizer: bool) -> dict[str, str]:
    entries = reports.tensors((str(each.path), array(each)) for each in model.weights)
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None or not with_optimizer or not path.endswith(".keras"):  # other files have its class's name only
        return entries
    return entries | reports.optimizer(serialization_lib.serialize_keras_object(optimizer))
