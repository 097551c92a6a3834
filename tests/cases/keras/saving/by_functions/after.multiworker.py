"""A model is saved by functions, to paths given by place and by name."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import os
import tempfile

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
keras.models.save_model(
    model,
    "model.keras" if strategy.extended.should_checkpoint else os.path.join(
        tempfile.mkdtemp(), os.path.basename("model.keras")
    ),
)
tf.saved_model.save(
    model,
    export_dir="exported" if strategy.extended.should_checkpoint else os.path.join(
        tempfile.mkdtemp(), os.path.basename("exported")
    ),
)
