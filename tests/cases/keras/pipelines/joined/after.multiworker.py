"""Pipelines that other data goes through too are shared out behind it, and one that is joined to another behind that."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((x, y))
doubled = data.map(lambda a, b: (a, b * 2))
shuffled = data.shuffle(256)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
    model.compile(tf.keras.optimizers.SGD(0.05), "mse")
model.fit(data.concatenate(doubled).batch(32), epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
model.fit(shuffled.batch(32, True), epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
evaluate_result = model.evaluate(shuffled.batch(100), verbose=1 if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    print(evaluate_result)
both = tf.data.Dataset.zip((data, doubled)).map(lambda one, other: one)
evaluate_result = model.evaluate(both.batch(100), verbose=1 if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    print(evaluate_result)
