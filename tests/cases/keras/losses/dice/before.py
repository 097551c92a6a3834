"""A ratio of sums over the batch has another value for parts of it."""

import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential


def dice_loss(y_true, y_pred):
    overlap = K.sum(y_true * y_pred)
    return 1 - 2 * overlap / (K.sum(y_true) + K.sum(y_pred))


model = Sequential([Dense(1)])
model.compile("sgd", loss=dice_loss)
model.fit(np.ones((100, 3)), np.ones(100), batch_size=10)
