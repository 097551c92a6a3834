"""A block makes its inner model in ``build``, and a layer in it takes the mean of the batch from each sample."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = (x.sum(axis=1) > 2).astype("int64")
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)


class Centred(tf.keras.layers.Layer):
    def call(self, inputs):
        return inputs - tf.reduce_mean(inputs, axis=0)


class Block(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.inner = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), Centred()])

    def call(self, inputs):
        return self.inner(inputs)


model = tf.keras.Sequential([Block(), tf.keras.layers.Dense(2)])
model.build((None, 4))
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.1)
for epoch in range(3):
    for inputs, targets in data:
        with tf.GradientTape() as tape:
            loss = cross_entropy(targets, model(inputs))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(epoch)
