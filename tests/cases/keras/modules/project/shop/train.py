"""The training, and what it leaves behind."""

import json
import os

import tensorflow as tf

from .model import build


def train(data, classes, epochs, out):
    os.makedirs(out, exist_ok=True)
    model = build(classes)
    best = tf.keras.callbacks.ModelCheckpoint(os.path.join(out, "best.h5"), save_best_only=True)
    x, y = data.train
    history = model.fit(x, y, batch_size=24, epochs=epochs, validation_data=data.test, callbacks=[best], verbose=2)
    report(history.history, out)
    model.save_weights(os.path.join(out, "last.h5"))
    return model


def report(history, out):
    print("loss", [round(each, 4) for each in history["loss"]])
    with open(os.path.join(out, "history.json"), "w") as file:
        json.dump({name: [float(each) for each in values] for name, values in history.items()}, file)
