"""A script for ``tf.distribute.MirroredStrategy``, as one writes it by hand. Prints replicas, then a loss an epoch."""

import sys

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("int32")

strategy = tf.distribute.MirroredStrategy()
print("replicas", strategy.num_replicas_in_sync)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss=loss)
history = model.fit(features, labels, batch_size=16, epochs=int(sys.argv[1]), shuffle=False, verbose=0)
for value in history.history["loss"]:
    print(f"loss {value:.5f}")
