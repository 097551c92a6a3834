"""A generator of the script's own that yields batches, in an epoch that is a function."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
np.random.seed(1)


def batches(features, labels, size):
    order = np.arange(len(features))
    np.random.shuffle(order)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield features[rows], labels[rows]


def train_step(model, optimizer, features, labels):
    with tf.GradientTape() as tape:
        predictions = model(features, training=True)
        loss = tf.reduce_mean(tf.square(predictions - labels))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def main():
    features = np.random.normal(size=(400, 2)).astype("float32")
    labels = features @ np.array([[2.0], [-3.0]], "float32") + 3.0
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(8, activation="relu", input_shape=(2,)),
            tf.keras.layers.Dropout(0.1),
            tf.keras.layers.Dense(1),
        ]
    )
    optimizer = tf.keras.optimizers.Adam()
    for epoch in range(2):
        losses = []
        for step, (x, y) in enumerate(batches(features, labels, 20)):
            losses.append(train_step(model, optimizer, x, y))
        print(epoch, float(tf.reduce_mean(losses)))


if __name__ == "__main__":
    main()
