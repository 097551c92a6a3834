"""A loop that takes the first GPU for itself: the engine gives each process one."""
import numpy as np
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    first = gpus[0]
    tf.config.experimental.set_memory_growth(first, True)
    tf.config.set_visible_devices([first], "GPU")

tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 8).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True))).shuffle(256).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)
for epoch in range(3):
    for inputs, outputs in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs) - outputs))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
print("done")
