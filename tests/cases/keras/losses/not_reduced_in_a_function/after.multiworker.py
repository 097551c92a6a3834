"""A function of the script's own gives one number a sample, of which Keras takes the mean."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
squared = keras.losses.MeanSquaredError(reduction="none")


def weighed(y_true, y_pred):
    return 2.0 * squared(y_true, y_pred)


x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", weighed)
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
