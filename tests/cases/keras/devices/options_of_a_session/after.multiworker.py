"""A session that only sets options of Keras' own is no training loop; on the CPU nothing is chosen."""

import os

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
tf.compat.v1.keras.backend.set_session(tf.compat.v1.Session(config=config))

with strategy.scope():
    model = Sequential([Dense(1)])
    model.compile("adam", "mse")
model.fit(np.ones((64, 4)), np.ones(64), verbose=1 if strategy.extended.should_checkpoint else 0)
