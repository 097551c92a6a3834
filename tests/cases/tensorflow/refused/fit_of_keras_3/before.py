"""A derivative is shown and a variable set beside a fit, in a script that only Keras 3 can run."""

import keras
import numpy as np
import tensorflow as tf

a = tf.Variable(3.0)
with tf.GradientTape() as tape:
    b = a**2
print(tape.gradient(b, a))
a.assign(1.0)
x = keras.ops.ones((64, 4))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, np.ones(64), batch_size=32)
