"""A temperature is trained beside the model, and shown: under a strategy it gives its value by numpy()."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(0)
x = np.random.randn(400, 6).astype("float32")
y = (x[:, 0] > 0).astype("int64")
x_train, y_train, x_test, y_test = x[:320], y[:320], x[320:], y[320:]
model = keras.Sequential([layers.Input((6,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(32)
test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(16)
optimizer = keras.optimizers.SGD(0.1)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
temperature = tf.Variable(1.5)
for epoch in range(3):
    total, n = 0.0, 0
    for step, (a, b) in enumerate(train_ds):
        with tf.GradientTape() as tape:
            loss = loss_fn(b, model(a, training=True) / temperature)
        variables = model.trainable_variables + [temperature]
        grads = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(grads, variables))
        total += float(loss)
        n += 1
    print(epoch, round(total / n, 4), round(float(temperature), 4))
np.savez("weights.npz", *model.get_weights())
