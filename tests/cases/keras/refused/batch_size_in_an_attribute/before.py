"""The batch size goes through a layer of a module beside the script, where it is the shape of what a state begins with."""

import argparse

import numpy as np
from cells import Recurrent
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
args = parser.parse_args()

x, y = np.zeros((64, 5, 8)), np.zeros((64, 1))
inputs = keras.Input((5, 8))
model = keras.Model(inputs, keras.layers.Dense(1)(Recurrent(4, args.batch_size)(inputs)))
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=args.batch_size)
