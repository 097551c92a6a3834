"""What is trained on is written into files and read again: all processes would write the same ones."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

data = tf.data.Dataset.from_tensor_slices((np.zeros((64, 4)), np.zeros((64, 1))))
training = data.map(lambda x, y: (2 * x, y)).snapshot("prepared").shuffle(64).batch(16)
testing = data.batch(16)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(training, epochs=2, validation_data=testing)
