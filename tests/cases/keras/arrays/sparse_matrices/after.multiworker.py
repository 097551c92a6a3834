"""Sparse matrices have rows and no length; some have not even rows."""

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
words = CountVectorizer().fit_transform(open("texts.txt"))
y = np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(words, y, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)

numbers = csr_matrix(np.load("numbers.npy"))
both = hstack((words, numbers))
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(both, y, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)

x_train, x_test, y_train, y_test = train_test_split(both.tocsr(), y, random_state=0)
model.fit(
    x_train,
    y_train,
    batch_size=8,
    validation_data=(x_test, y_test),
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
model.fit(x_train.toarray(), y_train, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
