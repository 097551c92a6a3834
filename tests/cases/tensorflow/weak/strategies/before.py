"""A strategy hands out batches of the script's size: weak scaling is Horovod's."""

import numpy as np
import tensorflow as tf

BATCH = 32
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)

for epoch in range(2):
    for x, y in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print("epoch", epoch)
