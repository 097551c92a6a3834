"""A list of callbacks with a name, to which more are added."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
checkpoint = keras.callbacks.ModelCheckpoint("w{epoch}.h5", save_weights_only=True)
reduce = keras.callbacks.ReduceLROnPlateau(monitor="loss")
cbs = [checkpoint, reduce]
if strategy.extended.should_checkpoint:
    cbs.append(keras.callbacks.CSVLogger("log.csv"))
model.fit(x, y, epochs=4, callbacks=cbs, verbose=1 if strategy.extended.should_checkpoint else 0)
