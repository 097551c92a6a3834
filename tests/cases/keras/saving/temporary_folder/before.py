"""A model is saved to a temporary folder, which is another one on each process, and loaded again."""

import os
import tempfile
import time

import numpy as np
import tensorflow as tf
from tensorflow import keras

folder = tempfile.mkdtemp()
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(np.zeros((64, 4)), np.zeros(64))
path = os.path.join(folder, "model.h5")
model.save(path)
again = keras.models.load_model(path)
begin = time.time()
exported = "exported/{}".format(int(begin))
tf.saved_model.save(model, exported)
served = tf.saved_model.load(exported)
