"""The loss of the step, which takes all data from the module, is asked for before and after the loop, too."""

import numpy as np
import tensorflow as tf

heights = np.arange(24, dtype="float32")
weights = 2 * heights + 1
slope = tf.Variable(0.0)
offset = tf.Variable(0.0)


@tf.function
def loss_of(slope, offset):
    predicted = slope * tf.constant(heights) + offset
    return tf.reduce_mean(tf.square(tf.constant(weights) - predicted))


print(loss_of(slope, offset).numpy())
optimizer = tf.keras.optimizers.SGD(0.001)
for step in range(100):
    with tf.GradientTape() as tape:
        loss = loss_of(slope, offset)
    gradients = tape.gradient(loss, [slope, offset])
    optimizer.apply_gradients(zip(gradients, [slope, offset]))
print(loss_of(slope, offset).numpy())
