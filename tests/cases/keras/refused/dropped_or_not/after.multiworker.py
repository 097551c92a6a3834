"""Whether the last batch is dropped is said on the command line."""

import sys

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(
    data.batch(32, drop_remainder="--whole" in sys.argv),
    epochs=2,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
