"""Behind a filter processes may have unequal numbers of batches, and wait for ever."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
data = tf.data.Dataset.from_tensor_slices((np.ones((1000, 4)), np.ones(1000)))
data = data.filter(lambda x, y: y > 0).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(data, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
