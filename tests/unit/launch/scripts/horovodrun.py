"""A Keras script for Horovod, as one writes it by hand; rank 0 prints."""

import sys

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
tf.keras.utils.set_random_seed(1)
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("int32")
mine = np.arange(64).reshape(4, hvd.size(), -1)[:, hvd.rank()].ravel()  # the part of each batch of 16

model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), loss=loss)
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback()]
batch_size, epochs = 16 // hvd.size(), int(sys.argv[1])
history = model.fit(
    features[mine], labels[mine], batch_size=batch_size, epochs=epochs, shuffle=False, verbose=0, callbacks=callbacks
)
weights = np.concatenate([weight.ravel() for weight in model.get_weights()])
assert np.all(np.asarray(hvd.allgather(weights[np.newaxis])) == weights), "the ranks have different weights"
if hvd.rank() == 0:
    print("replicas", hvd.size())
    for value in history.history["loss"]:
        print(f"loss {value:.5f}")
