"""Training in functions: a sum divided by the global batch size, accumulated losses and counts, weights saved once."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def get_data():
    rng = np.random.RandomState(0)
    x = rng.rand(960, 20).astype("float32")
    y = (x[:, :10].sum(1) > x[:, 10:].sum(1)).astype("int64")
    return (x[:800], y[:800]), (x[800:], y[800:])


def make_model():
    inputs = keras.Input(shape=(20,))
    h = layers.Dense(16, activation="relu")(inputs)
    return keras.Model(inputs, layers.Dense(2)(h))


def main():
    keras.utils.set_random_seed(0)
    (x, y), (xt, yt) = get_data()
    train = tf.data.Dataset.from_tensor_slices((x, y)).batch(40)
    test = tf.data.Dataset.from_tensor_slices((xt, yt)).batch(40)
    model = make_model()
    optimizer = keras.optimizers.SGD(learning_rate=0.1)
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=keras.losses.Reduction.SUM)
    for epoch in range(3):
        total = 0.0
        correct = 0
        for i, (xb, yb) in enumerate(train):
            with tf.GradientTape() as tape:
                logits = model(xb, training=True)
                loss = loss_fn(yb, logits) / 40
            grads = tape.gradient(loss, model.trainable_weights)
            optimizer.apply_gradients(zip(grads, model.trainable_weights))
            total += float(loss)
            correct += int(tf.reduce_sum(tf.cast(tf.argmax(logits, axis=1) == yb, tf.int32)))
            if i % 10 == 0:
                print(f"epoch {epoch} batch {i} loss {loss.numpy():.5f}")
        print("train", total / 20, correct / 800)
        hits = 0
        for xb, yb in test:
            hits += int(tf.reduce_sum(tf.cast(tf.argmax(model(xb), axis=1) == yb, tf.int32)))
        print("test accuracy", hits / len(xt))
    model.save_weights("out.h5")
    print("saved", float(sum(tf.reduce_sum(tf.abs(w)) for w in model.weights)))


if __name__ == "__main__":
    main()
