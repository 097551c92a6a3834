"""Training in a function: what the loop adds up is reduced behind it; a sum divided by the global batch size."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def get_data():
    x = np.random.rand(960, 20).astype("float32")
    y = (x[:, :10].sum(1) > x[:, 10:].sum(1)).astype("int64")
    return (x[:800], y[:800]), (x[800:], y[800:])


def make_model():
    inputs = keras.Input(shape=(20,))
    hidden = layers.Dropout(0.1)(layers.Dense(16, activation="relu")(inputs))
    return keras.Model(inputs, layers.Dense(2)(hidden))


def main():
    keras.utils.set_random_seed(0)
    (x, y), (x_test, y_test) = get_data()
    train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(800).batch(40)
    test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(40)
    model = make_model()
    optimizer = keras.optimizers.SGD(learning_rate=0.1)
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=keras.losses.Reduction.SUM)
    for epoch in range(3):
        total, correct = 0.0, 0
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
        hits = 0
        for xb, yb in test:
            hits += int(tf.reduce_sum(tf.cast(tf.argmax(model(xb), axis=1) == yb, tf.int32)))
        print("loss", total / len(train), "accuracy", correct / len(x), hits / len(x_test))
    model.save_weights("model.h5")


if __name__ == "__main__":
    main()
