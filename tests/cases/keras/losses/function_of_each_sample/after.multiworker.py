"""A function of another library that gives one number a sample."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras
import tensorflow as tf


def loss(y_true, y_pred):
    return 0.5 * tfa.losses.sigmoid_focal_crossentropy(y_true, y_pred)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
    model.compile("sgd", loss=loss)
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
