"""The images of TensorFlow 1's tutorials: reading them seeds NumPy's numbers anew, by which batches are drawn."""

import numpy as np
from tensorflow import keras
from tensorflow.examples.tutorials.mnist import input_data

np.random.seed(1)
mnist = input_data.read_data_sets("data", one_hot=True)
model = keras.Sequential([keras.layers.Dense(10, activation="softmax", input_shape=(784,))])
model.compile("sgd", "categorical_crossentropy")
for step in range(1000):
    x, y = mnist.train.next_batch(64)
    loss = model.train_on_batch(x, y)
