"""A try that says where the script runs stands in front of all imports: what the start needs is imported before it."""

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
try:
    import google.colab

    if strategy.extended.should_checkpoint:
        print("in the cloud")
except ImportError:
    if strategy.extended.should_checkpoint:
        print("at home")

import numpy as np
import tensorflow as tf

x, y = np.random.rand(64, 4), np.random.rand(64)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=16, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
