"""All that meets has a dimension for the column, or has lost it."""

import tensorflow as tf
from sklearn.datasets import load_diabetes

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = load_diabetes(return_X_y=True)
x, y = x.astype("float32"), (y / 100).astype("float32")


def likelihood(y_true, y_pred):
    log_variance = y_pred[:, 1:]
    column = tf.exp(-log_variance) * tf.square(y_true - y_pred[:, :1]) + log_variance
    distance = tf.abs(y_true[:, 0] - y_pred[:, 0])
    return tf.reduce_mean(column, axis=-1) + 0.1 * distance * tf.reduce_max(y_true, axis=-1)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
    model.compile("adam", loss=likelihood)
model.fit(x, y, batch_size=32, epochs=3, verbose=1 if strategy.extended.should_checkpoint else 0)
