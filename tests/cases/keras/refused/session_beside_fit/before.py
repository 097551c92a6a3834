"""Keras' own session runs the steps of an optimizer of TensorFlow, beside a model that is fitted."""

import keras.backend as K
import numpy as np
import tensorflow as tf
from keras.layers import Dense, Input
from keras.models import Model

x, y = np.zeros((64, 8)), np.zeros((64, 1))
inputs = Input((8,))
model = Model(inputs, Dense(1)(inputs))
model.compile("rmsprop", loss="mse")
model.fit(x, y, batch_size=16)

with K.get_session() as session:
    features, targets = K.placeholder((16, 8)), K.placeholder((16, 1))
    cost = tf.reduce_sum(tf.abs(Dense(1)(features) - targets))
    step = tf.train.RMSPropOptimizer(0.001).minimize(cost)
    session.run(tf.global_variables_initializer())
    for i in range(4):
        session.run(step, feed_dict={features: x[:16], targets: y[:16]})
