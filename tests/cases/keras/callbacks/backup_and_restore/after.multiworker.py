"""A backup that rank 0 alone would go on from; a strategy's workers keep one together."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(
    np.zeros((64, 4)),
    np.zeros(64),
    epochs=5,
    callbacks=[keras.callbacks.BackupAndRestore("backup")],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
