"""The name of the loss is given when the program runs, and may be that of a loss that Keras was told of."""

import argparse

import numpy as np
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="mse")
args = parser.parse_args()


@keras.utils.register_keras_serializable()
def dice_of_the_batch(y, p):
    return 1 - 2 * keras.backend.sum(y * p) / (keras.backend.sum(y) + keras.backend.sum(p))


x, y = np.random.rand(64, 3), np.random.rand(64, 1)
model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
model.compile("adam", loss=args.loss)
model.fit(x, y, batch_size=8)
