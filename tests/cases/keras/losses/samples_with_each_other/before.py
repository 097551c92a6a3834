"""A loss that compares the samples of a batch with each other."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Contrastive(keras.losses.Loss):
    def call(self, y_true, y_pred):
        features = tf.math.l2_normalize(y_pred, axis=1)
        alike = tf.matmul(features, tf.transpose(features))
        return keras.losses.sparse_categorical_crossentropy(tf.range(tf.shape(alike)[0]), alike, from_logits=True)


model = keras.Sequential([keras.layers.Dense(8)])
model.compile(optimizer=keras.optimizers.Adam(), loss=Contrastive())
model.fit(np.zeros((64, 4)), np.zeros(64))
