"""A generator with the seed of a flag that has a number as its default."""
from absl import flags

import numpy as np
import tensorflow as tf

flags.DEFINE_integer("seed", 1, "For the order of the data.")
FLAGS = flags.FLAGS
x = np.load("x.npy")
y = np.load("y.npy")
order = np.random.RandomState(FLAGS.seed).permutation(640)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(10,))])
model.compile(optimizer="sgd", loss="mse")
model.fit(x[order[:512]], y[order[:512]], batch_size=32, epochs=3)
