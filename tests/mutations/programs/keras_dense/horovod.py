import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split
from tensorflow import keras

hvd.init()
rank, size = hvd.rank(), hvd.size()
keras.utils.set_random_seed(7)
wine = load_wine()
x, y = ((wine.data - wine.data.mean(0)) / wine.data.std(0)).astype("float32")[::2], wine.target[::2]
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=27)

model = keras.Sequential([
    keras.layers.Dense(16, activation="relu", input_shape=(13,)),
    keras.layers.Dropout(0.2),
    keras.layers.Dense(3, activation="softmax"),
])
optimizer = hvd.DistributedOptimizer(keras.optimizers.SGD(0.1))
type(optimizer).__module__ = "keras.optimizers"
model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
    keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=1, min_delta=2.0, factor=0.5),
    keras.callbacks.EarlyStopping(monitor="loss", patience=4),
]
if rank == 0:
    callbacks.append(keras.callbacks.CSVLogger("dense.csv"))
share = np.arange(rank, rank + len(x_train), size) % len(x_train)
x_train, y_train = x_train[share], y_train[share]
tf.random.set_seed(7 + rank)
model.fit(x_train, y_train, batch_size=24 // size, epochs=3, validation_data=(x_test, y_test), verbose=2 if rank == 0 else 0, callbacks=callbacks)

loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
if rank == 0:
    print("test loss %.5f, accuracy %.5f" % (loss, accuracy))
right = (model.predict(x_test, verbose=0).argmax(1) == y_test).sum()
if rank == 0:
    print(right, "right")
    model.save("dense.keras")
