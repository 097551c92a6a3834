"""No batch size means 32, which is shared out."""

import numpy
from keras.layers import Dense
from keras.models import Sequential
import keras.utils as utils
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
data = numpy.loadtxt("pima.csv", delimiter=",")
X, Y = data[:, :8], data[:, 8]
with strategy.scope():
    model = Sequential()
    model.add(Dense(12, input_dim=8, activation="relu"))
    model.add(Dense(1, activation="sigmoid"))
    model.compile(loss="binary_crossentropy", optimizer="rmsprop", metrics=["accuracy"])
model.fit(X, Y, epochs=150, verbose=0)
scores = model.evaluate(X, Y, verbose=1 if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    print("%s: %.2f%%" % (model.metrics_names[1], scores[1] * 100))
