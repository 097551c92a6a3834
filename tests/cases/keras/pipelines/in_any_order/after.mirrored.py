"""Samples that come in any order are not in the same one on all processes."""

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
options = tf.data.Options()
options.deterministic = False
lines = tf.data.TextLineDataset(["a.txt", "b.txt"]).with_options(options)
data = lines.map(lambda line: (tf.strings.length(line)[None], 1.0)).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(data, epochs=2)
