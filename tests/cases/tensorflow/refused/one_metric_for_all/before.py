"""One metric for training and test has parts on the replicas, or it has not."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
test = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
error = tf.keras.metrics.MeanAbsoluteError()


def train_step(x, y):
    with tf.GradientTape() as tape:
        out = model(x)
        loss = tf.reduce_mean(tf.square(out - y))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    error.update_state(y, out)


for x, y in train:
    train_step(x, y)
print("%.4f" % error.result())
error.reset_state()
for x, y in test:
    error.update_state(y, model(x))
print("%.4f" % error.result())
