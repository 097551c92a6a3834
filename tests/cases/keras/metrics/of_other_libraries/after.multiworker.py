"""Metrics of a library around Keras, which may count over all samples."""

import numpy as np
import segmentation_models as sm
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
score = sm.metrics.IOUScore()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile("adam", loss="binary_crossentropy", metrics=["accuracy", score, sm.metrics.f1_score])
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
