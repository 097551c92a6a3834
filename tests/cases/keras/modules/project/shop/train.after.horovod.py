"""The training, and what it leaves behind."""

import json
import os

import tensorflow as tf

from .model import build
import horovod.tensorflow.keras as hvd
import numpy as np


def train(data, classes, epochs, out):
    os.makedirs(out, exist_ok=True)
    model = build(classes)
    best = tf.keras.callbacks.ModelCheckpoint(os.path.join(out, "best.h5"), save_best_only=True)
    x, y = data.train
    if 24 % hvd.size() != 0:
        raise SystemExit(f"batch size 24 cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    history = model.fit(
        x[shard],
        y[shard],
        batch_size=24 // hvd.size(),
        epochs=epochs,
        validation_data=data.test,
        callbacks=[
            hvd.callbacks.BroadcastGlobalVariablesCallback(0),
            hvd.callbacks.MetricAverageCallback(),
            *([best] if hvd.rank() == 0 else []),
        ],
        verbose=2 if hvd.rank() == 0 else 0,
    )
    report(history.history, out)
    if hvd.rank() == 0:
        model.save_weights(os.path.join(out, "last.h5"))
    return model


def report(history, out):
    if hvd.rank() == 0:
        print("loss", [round(each, 4) for each in history["loss"]])
    with open(os.path.join(out, "history.json") if hvd.rank() == 0 else os.devnull, "w") as file:
        json.dump({name: [float(each) for each in values] for name, values in history.items()}, file)
