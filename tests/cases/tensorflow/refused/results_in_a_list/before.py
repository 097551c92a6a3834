"""The chief alone would read what all workers have to read together."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
metrics = [tf.keras.metrics.MeanAbsoluteError(), tf.keras.metrics.MeanSquaredError()]


def train_step(x, y):
    with tf.GradientTape() as tape:
        out = model(x)
        loss = tf.reduce_mean(tf.square(out - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    for metric in metrics:
        metric.update_state(y, out)


for x, y in train:
    train_step(x, y)
print([float(metric.result()) for metric in metrics])
