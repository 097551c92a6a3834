"""Each sample is compared with all others of its batch."""

import numpy as np
import tensorflow as tf


def contrastive(y_true, y_pred):
    unit = tf.math.l2_normalize(y_pred, axis=1)
    alike = tf.matmul(unit, unit, transpose_b=True)
    return tf.keras.losses.categorical_crossentropy(y_true, tf.nn.softmax(alike))


model = tf.keras.Sequential([tf.keras.layers.Dense(8)])
model.compile("sgd", loss=contrastive)
model.fit(np.ones((320, 4)), np.ones((320, 32)), batch_size=32)
