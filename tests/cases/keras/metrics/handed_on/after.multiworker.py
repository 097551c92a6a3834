"""Metrics of the script's own that give a batch to scikit-learn, or to a metric of Keras."""

import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score


def auc(y_true, y_pred):
    return tf.py_function(roc_auc_score, (y_true, y_pred), tf.double)


def overlap(y_true, y_pred):
    counted = tf.keras.metrics.MeanIoU(2)
    counted.update_state(y_true, y_pred > 0.5)
    return counted.result()


def far(y_true, y_pred):
    return tf.reduce_mean(tf.cast(tf.abs(y_true - y_pred) > 0.5, tf.float32))


strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy", metrics=[far, auc, overlap])
model.fit(np.load("x.npy"), np.load("y.npy"), batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
