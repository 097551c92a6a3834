"""Training data is cut off first, in the same way everywhere, then shared out."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
data = tf.data.Dataset.from_tensor_slices((np.ones((1000, 4)), np.ones(1000)))
held = data.take(200).batch(50)
train = data.skip(200).shuffle(800).batch(50, drop_remainder=True)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(train, epochs=2, validation_data=held, verbose=1 if strategy.extended.should_checkpoint else 0)
