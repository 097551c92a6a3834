"""A script for several processes of ``keras.distribution``, as one writes it by hand; the first one prints."""

import sys

import jax
import keras
import numpy as np

keras.distribution.initialize()
keras.distribution.set_distribution(keras.distribution.DataParallel(auto_shard_dataset=False))
rank, size = jax.process_index(), jax.process_count()
keras.utils.set_random_seed(1)
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("int32")
mine = np.arange(64).reshape(4, size, -1)[:, rank].ravel()  # the part of each batch of 16

model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(optimizer=keras.optimizers.SGD(0.1), loss=loss)
batch_size, epochs = 16 // size, int(sys.argv[1])
history = model.fit(features[mine], labels[mine], batch_size=batch_size, epochs=epochs, shuffle=False, verbose=0)
if rank == 0:
    print("replicas", size)
    for value in history.history["loss"]:
        print(f"loss {value:.5f}")
