"""Layers for augmentation take the seeds of their generators from Python's numbers, or as an argument."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
x, y = np.ones((100, 8, 8, 3)), np.ones(100)
layers = [tf.keras.layers.RandomFlip("horizontal"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)]
model = tf.keras.Sequential(layers)
model.compile("adam", "mse")
model.fit(x, y, batch_size=20)
