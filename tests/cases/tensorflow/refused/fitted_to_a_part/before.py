"""Each batch of a loop is trained on by a tape and fitted: it is a process's part by then."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
critic = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
critic.compile(tf.keras.optimizers.SGD(0.05), "mse")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.05)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    critic.fit(features, targets, verbose=0)
