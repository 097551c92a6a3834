import keras
import numpy as np

keras.utils.set_random_seed(7)
x = np.random.default_rng(0).normal(size=(128, 8)).astype("float32")
y = (x.sum(axis=1) > 0).astype("int32")
model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.SGD(0.1), loss=loss)
history = model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0)
print(history.history["loss"])
