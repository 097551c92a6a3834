"""Operations between layers under names of the script's own, which take each sample by itself."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.backend import mean as average
from tensorflow.keras.backend import square as squared
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((8,))
    features = keras.layers.Dense(4)(inputs)
    centred = features - average(features, axis=-1, keepdims=True)
    model = keras.Model(inputs, keras.layers.Dense(1)(squared(centred)))
    model.add_loss(1e-3 * average(squared(features)))
    model.compile("sgd", "mse")
model.fit(np.ones((320, 8)), np.ones((320, 1)), batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
