"""A model whose state has the batch size as its shape takes no part of a batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 64


class Recurrent(keras.Model):
    def __init__(self, units):
        super().__init__()
        self.start = [tf.zeros([BATCH, units])]
        self.cell = keras.layers.SimpleRNNCell(units)
        self.last = keras.layers.Dense(1)

    def call(self, inputs):
        state = self.start
        for step in tf.unstack(inputs, axis=1):
            out, state = self.cell(step, state)
        return self.last(out)


x, y = np.zeros((640, 5, 3), "float32"), np.zeros(640)
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(640).batch(BATCH, drop_remainder=True)
model = Recurrent(8)
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(data, epochs=2)
