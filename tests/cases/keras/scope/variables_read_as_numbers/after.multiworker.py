"""Variables are read as numbers and shown in formats: under a strategy they give their value by numpy()."""

import math

import numpy as np
import tensorflow as tf
from tensorflow import keras


class ShowRate(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rate = self.model.optimizer.learning_rate
        if strategy.extended.should_checkpoint:
            print(
                f"epoch {epoch} {rate.numpy():.3f}",
                "%.3f" % rate.numpy(),
                "{:.2f}".format(self.model.optimizer.lr.numpy()),
            )


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(0)
x = np.random.randn(320, 6).astype("float32")
y = (x[:, 0] > 0).astype("float32")
with strategy.scope():
    optimizer = keras.optimizers.SGD(0.1)
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(6,))])
    model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, batch_size=32, epochs=2, shuffle=False, verbose=0, callbacks=[ShowRate()])
scale = tf.Variable(2.0)
if strategy.extended.should_checkpoint:
    print(float(model.optimizer.learning_rate.numpy()), int(optimizer.iterations.numpy()), math.sqrt(optimizer.learning_rate.numpy()), float(scale.numpy()))
    print(float(optimizer.learning_rate.numpy()), float(tf.reduce_sum(scale)))
