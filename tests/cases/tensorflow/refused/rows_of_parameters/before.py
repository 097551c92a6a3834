"""A function of two numbers is minimised: what the loss comes from are parameters."""

import tensorflow as tf


def himmelblau(x):
    return (x[0] ** 2 + x[1] - 11) ** 2 + (x[0] + x[1] ** 2 - 7) ** 2


x = tf.constant([4.0, 0.0])
for step in range(200):
    with tf.GradientTape() as tape:
        tape.watch([x])
        y = himmelblau(x)
    gradients = tape.gradient(y, [x])[0]
    x -= 0.01 * gradients
