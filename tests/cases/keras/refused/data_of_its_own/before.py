"""An object of the script's own may have no rows."""

import numpy as np
import tensorflow as tf


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor


masked = Masked([[1.0, 2.0], [3.0, 4.0]], [[True, False], [True, True]])
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
model.fit(masked, np.zeros(2), epochs=2)
