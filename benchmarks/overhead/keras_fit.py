"""Trains a small convolutional network of Keras, and writes down what one of its steps takes."""

import os
import statistics
import time
from itertools import pairwise
from pathlib import Path

import keras
import numpy as np

x = np.random.default_rng(0).normal(size=(4096, 16, 16, 1)).astype("float32")
model = keras.Sequential(
    [
        keras.Input((16, 16, 1)),
        keras.layers.Conv2D(32, 3, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(64, activation="relu"),
        keras.layers.Dense(2),
    ]
)
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
ends = []


def clock(batch, logs):
    ends.append(time.perf_counter())
    if len(ends) == 240:
        step = statistics.median(b - a for a, b in pairwise(ends[140:]))
        Path(os.environ["STEP_FILE"]).write_text(str(step), encoding="utf-8")


model.fit(
    x,
    (x.mean((1, 2, 3)) > 0).astype("int32"),
    batch_size=64,
    epochs=4,
    verbose=0,
    callbacks=[keras.callbacks.LambdaCallback(on_train_batch_end=clock)],
)
