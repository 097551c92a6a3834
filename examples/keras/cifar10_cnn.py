"""Classify CIFAR-10 with a convolutional network and batch normalisation.

Reads the original files (the "python version") from data/cifar-10-batches-py. They come from
https://www.cs.toronto.edu/~kriz/cifar.html; ../data/make_small.py writes small ones to try it offline. They are
pickles, which can run code when they are loaded: take them from there only. With
`(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()` Keras downloads the same images.

    python cifar10_cnn.py
    python cifar10_cnn.py --data FOLDER --epochs 20
"""

import argparse
import os
import pickle

import keras
import numpy as np
from keras import layers


def load_batch(path):
    """Images as (samples, 32, 32, 3) and labels of one file."""
    with open(path, "rb") as file:
        batch = pickle.load(file, encoding="bytes")
    return batch[b"data"].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1), np.array(batch[b"labels"])


def load_data(folder):
    images, labels = [], []
    for number in range(1, 6):
        x, y = load_batch(os.path.join(folder, f"data_batch_{number}"))
        images.append(x)
        labels.append(y)
    return (np.concatenate(images), np.concatenate(labels)), load_batch(os.path.join(folder, "test_batch"))


def build_model():
    inputs = keras.Input(shape=(32, 32, 3))
    x = inputs
    for filters in (16, 32, 64):
        x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
        x = layers.MaxPooling2D()(x)
    x = layers.Flatten()(x)
    x = layers.Dense(64, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(10)(x))


def main():
    parser = argparse.ArgumentParser(description="CIFAR-10 with a convolutional network")
    parser.add_argument("--data", default="data", help="folder with cifar-10-batches-py (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=64)
    args = parser.parse_args()

    keras.utils.set_random_seed(0)
    (x_train, y_train), (x_test, y_test) = load_data(os.path.join(args.data, "cifar-10-batches-py"))
    x_train, x_test = x_train.astype("float32") / 255, x_test.astype("float32") / 255

    model = build_model()
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(x_train, y_train, batch_size=args.batch_size, epochs=args.epochs, validation_split=0.1, verbose=2)

    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}, accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
