import jax
import keras
import numpy as np

keras.distribution.initialize()
keras.distribution.set_distribution(keras.distribution.DataParallel(auto_shard_dataset=False))
rank, size = jax.process_index(), jax.process_count()
keras.utils.set_random_seed(7)
x = np.random.default_rng(0).normal(size=(128, 8)).astype("float32")
y = (x.sum(axis=1) > 0).astype("int32")
model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.SGD(0.1), loss=loss)
history = model.fit(x[rank::size], y[rank::size], batch_size=16 // size, epochs=2, shuffle=False, verbose=0)
if rank == 0:
    print(history.history["loss"])
