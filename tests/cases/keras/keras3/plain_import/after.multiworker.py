"""Where Keras is imported by itself, both versions can be meant."""

import keras
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    inputs = keras.Input((4,))
    model = keras.Model(inputs, keras.layers.Dense(1)(inputs))
    model.compile(optimizer="adam", loss="mse")
model.fit(np.ones((64, 4)), np.ones(64), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
