"""A schedule only computes when it is called, so rank 0 alone may do it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256, seed=1).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 8, 0.9)
optimizer = tf.keras.optimizers.SGD(schedule)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

for epoch in range(3):
    for inputs, labels in dataset:
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(inputs, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, optimizer.iterations.numpy(), float(optimizer.learning_rate(optimizer.iterations)))
    print("next rate", schedule(optimizer.iterations).numpy())
