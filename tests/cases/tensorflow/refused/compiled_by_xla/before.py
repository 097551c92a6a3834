"""A step that XLA compiles."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
data = tf.data.Dataset.from_tensor_slices(x).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function(jit_compile=True)
def train_step(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch) - batch))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for batch in data:
    train_step(batch)
