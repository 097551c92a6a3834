"""The loop is left on a metric, which need not come out equal to the last bit on all processes."""

import tensorflow as tf

x, y = tf.random.normal((256, 4)), tf.random.normal((256, 1))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD()
mean = tf.keras.metrics.Mean()
for epoch in range(100):
    mean.reset_state()
    for a, b in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        mean.update_state(loss)
    if mean.result() < 0.01:
        break
