"""A model that a module beside the script makes, and the script compiles and fits; nothing else there is of Keras."""

import numpy as np
from networks import build
import tensorflow as tf
import tensorflow.keras.utils as utils

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = build()
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
