"""A metric that counts: each process counts a part."""

import tensorflow as tf

x, y = tf.random.normal((256, 4)), tf.cast(tf.random.normal((256, 1)) > 0, tf.float32)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid", input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD()
loss_fn = tf.keras.losses.BinaryCrossentropy()
found = tf.keras.metrics.TruePositives()
for a, b in data:
    with tf.GradientTape() as tape:
        p = model(a)
        loss = loss_fn(b, p)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    found.update_state(b, p)
print(found.result())
