"""The length of a shuffled pipeline is that of all data: it is shared out behind the shuffle, whose seed is shared."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256)
steps = len(data) // 32
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(
    data.repeat().batch(32), epochs=2, steps_per_epoch=steps, verbose=1 if strategy.extended.should_checkpoint else 0
)
