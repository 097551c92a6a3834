"""A loss of the script's own that averages, or leaves the samples to Keras, is the average of the whole."""

import numpy as np
from keras import backend as K
from keras.layers import Dense
from keras.models import Sequential


def squared(y_true, y_pred):
    return K.sum(K.square(y_true - y_pred), axis=-1)


model = Sequential([Dense(1)])
model.compile("sgd", loss=squared)
model.fit(np.ones((100, 3)), np.ones(100), batch_size=10)
