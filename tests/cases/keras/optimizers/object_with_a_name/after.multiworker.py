"""An optimizer with a name is wrapped where it is made; its old argument gets the new name."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD
import keras.utils as utils
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
with strategy.scope():
    opt = SGD(learning_rate=0.01, momentum=0.9)
    model = Sequential([Dense(1)])
    model.compile(loss="mse", optimizer=opt)
model.fit(np.ones((100, 3)), np.ones(100), batch_size=10, verbose=1 if strategy.extended.should_checkpoint else 0)
