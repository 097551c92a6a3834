"""One pipeline is batched twice: once the last batch is dropped, for which samples are left out, once it is not."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
data = data.shuffle(256)
model.fit(data.batch(32), epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
model.fit(data.batch(64, drop_remainder=True), epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
