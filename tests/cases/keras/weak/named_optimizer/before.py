"""An optimizer by its name, callbacks in a list, a number of epochs that is not known before the run."""

import argparse

from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=20)
args = parser.parse_args()
(x, y), _ = keras.datasets.mnist.load_data()
callbacks = [keras.callbacks.ReduceLROnPlateau(monitor="loss"), keras.callbacks.CSVLogger("log.csv")]
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10, activation="softmax")])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x / 255, y, epochs=args.epochs, callbacks=callbacks)
