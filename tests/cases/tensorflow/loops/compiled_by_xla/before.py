"""XLA cannot compile a step with an all-reduce in it; what only predicts it can."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
opt = keras.optimizers.SGD(0.1)
ds = tf.data.Dataset.from_tensor_slices((np.ones((320, 4)), np.ones((320, 1)))).shuffle(320).batch(32)
loss_fn = keras.losses.MeanSquaredError()

@tf.function(jit_compile=True)
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))

for epoch in range(2):
    for x, y in ds:
        step(x, y)


@tf.function(jit_compile=True)
def predict(x):
    return model(x, training=False)


predicted = predict(np.ones((1, 4)))
