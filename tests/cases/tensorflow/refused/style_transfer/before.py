"""One image is optimised: there are no samples."""

import tensorflow as tf

features = tf.keras.applications.VGG19(include_top=False, weights=None)
content = features(tf.random.uniform([1, 64, 64, 3]))
image = tf.Variable(tf.random.uniform([1, 64, 64, 3]))
optimizer = tf.keras.optimizers.Adam(0.02)
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(features(image) - content))
    gradient = tape.gradient(loss, image)
    optimizer.apply_gradients([(gradient, image)])
