"""The recall of the whole is not the average of recalls; an average distance is."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K
import tensorflow as tf


def recall(y_true, y_pred):
    return K.sum(K.round(y_true * y_pred)) / (K.sum(y_true) + K.epsilon())


def distance(y_true, y_pred):
    return K.mean(K.abs(y_true - y_pred))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
    model.compile("sgd", "binary_crossentropy", metrics=[distance, recall])
model.fit(np.ones((320, 4)), np.ones(320), verbose=1 if strategy.extended.should_checkpoint else 0)
