"""XLA cannot compile a step with an all-reduce in it."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse", jit_compile=False)
model.fit(np.ones((320, 4)), np.ones((320, 1)), batch_size=32, verbose=1 if strategy.extended.should_checkpoint else 0)
