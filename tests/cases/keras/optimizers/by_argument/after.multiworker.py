"""The name of the optimizer comes from the command line."""

import sys

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer=sys.argv[1])
model.fit(np.ones((1000, 3)), np.ones(1000), batch_size=10, verbose=1 if strategy.extended.should_checkpoint else 0)
