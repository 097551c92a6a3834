"""Mixed precision puts an optimizer of its own around Horovod's."""

import numpy as np
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.ones((1000, 3)), np.ones(1000), batch_size=10)
