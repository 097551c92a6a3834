"""What is computed from counts is no average over processes, and is said to be none."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dense(1)])
    model.compile("adam", "binary_crossentropy", metrics=["accuracy", "AUC", keras.metrics.Recall()])
model.fit(np.ones((64, 4)), np.ones(64), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
