"""An optimizer of another library, with a schedule of that library."""

import numpy as np
import tensorflow_addons as tfa
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    rate = tfa.optimizers.TriangularCyclicalLearningRate(0.001, 0.1, step_size=8)
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(tfa.optimizers.LAMB(rate), "mse")
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
