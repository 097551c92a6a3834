"""Figures that every process draws in memory are saved once, and closed by every process."""

import matplotlib.pyplot as plt
import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.random.set_seed(1)
np.random.seed(0)
x = np.random.rand(256, 64).astype("float32")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(64)])
    model.compile(keras.optimizers.Adam(0.01), loss="mse")
for epoch in range(3):
    model.fit(x, x, batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
    fig, axes = plt.subplots(1, 2)
    axes[0].imshow(x[0].reshape(8, 8))
    axes[1].imshow(model.predict(x[:1], verbose="auto" if strategy.extended.should_checkpoint else 0)[0].reshape(8, 8))
    if strategy.extended.should_checkpoint:
        fig.savefig(f"epoch_{epoch}.png")
    plt.close(fig)
