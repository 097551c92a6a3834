"""Predictions in a column, by an operator, against labels in a row: each sample meets all the others."""

import tensorflow as tf
from sklearn.datasets import load_diabetes

images, labels = load_diabetes(return_X_y=True)
data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
weights = tf.Variable(tf.ones([10, 1], tf.float64))
optimizer = tf.keras.optimizers.SGD(0.1)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ weights - y) ** 2)
    optimizer.apply_gradients([(tape.gradient(loss, weights), weights)])
