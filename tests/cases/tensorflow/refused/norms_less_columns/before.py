"""Norms, one a sample, less predictions in a column: each sample meets all others."""

import tensorflow as tf

features = tf.random.normal((256, 6))
batches = tf.data.Dataset.from_tensor_slices(features).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)

for batch in batches:
    rows = tf.reshape(batch, [batch.shape[0], -1])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch) - tf.norm(rows, axis=1)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
