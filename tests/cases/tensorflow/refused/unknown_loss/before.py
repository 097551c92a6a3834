"""The largest loss of a batch is neither a mean nor a sum of its samples."""

import tensorflow as tf

x, y = tf.random.normal((256, 4)), tf.random.normal((256, 1))
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD()
for a, b in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_max(tf.square(model(a) - b))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
