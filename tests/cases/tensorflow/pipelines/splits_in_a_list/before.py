"""Two splits of a published data set, asked for in a list and taken from it by their places."""

import tensorflow as tf
import tensorflow_datasets as tfds

splits = tfds.load("iris", split=["train[:80%]", "train[80%:]"], as_supervised=True)
train, test = splits[0].batch(16), splits[1].batch(30)
model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.SGD(0.05)
for epoch in range(3):
    for features, labels in train:
        with tf.GradientTape() as tape:
            loss = cross_entropy(labels, model(features))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
for features, labels in test:
    accuracy.update_state(labels, model(features))
print("accuracy:", accuracy.result().numpy())
