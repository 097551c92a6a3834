"""Another library's model, of which every process makes the same."""

import lightgbm
import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
trees = lightgbm.LGBMRegressor()
trees.fit(x, y[:, 0], callbacks=[lightgbm.log_evaluation()])
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, verbose=1 if strategy.extended.should_checkpoint else 0)
