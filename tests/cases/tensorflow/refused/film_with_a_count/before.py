"""A film's block leaves a number behind that is used later: every process would have to run it."""
import glob

import imageio
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf

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
    predicted = model(x[:64])
    plt.imshow(predicted.numpy().reshape(8, 8))
    plt.savefig(f"epoch_{epoch}.png")

with imageio.get_writer("training.gif", mode="I") as writer:
    shown = 0
    names = sorted(glob.glob("epoch_*.png"))
    for name in names:
        writer.append_data(imageio.imread(name))
        shown += 1
print("pictures:", shown)
