"""A strategy is used already."""

import numpy as np
import tensorflow as tf

with tf.distribute.MirroredStrategy().scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(np.ones((100, 3)), np.ones(100))
