"""Folders that are walked within a comprehension cannot be sorted in place."""

import os

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
keras.utils.set_random_seed(1)
folders = [folder for folder, _, files in os.walk("data") if files]
x = np.stack([np.load(f"{folder}/x.npy") for folder in folders])
with strategy.scope():
    model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(8)])
    model.compile("sgd", "mse")
model.fit(x, x, epochs=2)
