"""Gradients are shown, not used."""

import tensorflow as tf

a = tf.constant(3.0)
b = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch([a, b])
    y = a * a * b

print(tape.gradient(y, {"a": a, "b": b}))
