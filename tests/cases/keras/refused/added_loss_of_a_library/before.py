"""A loss of a library around Keras that is added to a model."""

import segmentation_models as sm
import tensorflow as tf
from tensorflow import keras

data = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 8)), tf.zeros((64, 1)))).map(lambda x, y: ((x, y),)).batch(16)
inputs, labels = keras.Input((8,)), keras.Input((1,))
outputs = keras.layers.Dense(1)(inputs)
model = keras.Model([inputs, labels], outputs)
model.add_loss(tf.reduce_mean(sm.losses.dice_loss(labels, outputs)))
model.compile(keras.optimizers.Adam())
model.fit(data)
