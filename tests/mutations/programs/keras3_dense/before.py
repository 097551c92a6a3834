import keras
import numpy as np
from sklearn.datasets import load_wine

keras.utils.set_random_seed(7)
wine = load_wine()
x = ((wine.data - wine.data.mean(0)) / wine.data.std(0)).astype("float32")
order = np.random.permutation(len(x))
x, y = x[order], wine.target[order]

model = keras.Sequential([
    keras.layers.Dense(16, activation="relu"),
    keras.layers.BatchNormalization(),
    keras.layers.Dropout(0.2),
    keras.layers.Dense(3, activation="softmax"),
])
model.compile(keras.optimizers.Adam(0.01), "sparse_categorical_crossentropy", metrics=["accuracy"])
callbacks = [
    keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1, min_delta=2.0, factor=0.5),
    keras.callbacks.CSVLogger("dense.csv"),
]
model.fit(x[:128], y[:128], batch_size=32, epochs=3, validation_data=(x[128:], y[128:]), verbose=2, callbacks=callbacks)

loss, accuracy = model.evaluate(x[128:], y[128:], verbose=0)
print("test loss %.5f, accuracy %.5f" % (loss, accuracy))
right = (model.predict(x[128:], verbose=0).argmax(1) == y[128:]).sum()
print(right, "right")
model.save("dense.keras")
