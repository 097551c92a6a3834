"""Classify Fashion-MNIST with a small convolutional network.

Reads the original files (IDX, gzipped) from data/FashionMNIST/raw, where torchvision puts them, too. They come from
https://github.com/zalandoresearch/fashion-mnist; ../data/make_small.py writes small ones to try it offline. With
`(x_train, y_train), (x_test, y_test) = keras.datasets.fashion_mnist.load_data()` Keras downloads the same images.

    python fashion_mnist_cnn.py
    python fashion_mnist_cnn.py --data FOLDER --epochs 10
"""

import argparse
import gzip
import os

import keras
import numpy as np
from keras import layers


def load_images(path):
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=16).reshape(-1, 28, 28)


def load_labels(path):
    with gzip.open(path, "rb") as file:
        return np.frombuffer(file.read(), np.uint8, offset=8)


def load_data(folder):
    x_train = load_images(os.path.join(folder, "train-images-idx3-ubyte.gz"))
    y_train = load_labels(os.path.join(folder, "train-labels-idx1-ubyte.gz"))
    x_test = load_images(os.path.join(folder, "t10k-images-idx3-ubyte.gz"))
    y_test = load_labels(os.path.join(folder, "t10k-labels-idx1-ubyte.gz"))
    return (x_train, y_train), (x_test, y_test)


parser = argparse.ArgumentParser(description="Fashion-MNIST with a small convolutional network")
parser.add_argument("--data", default="data", help="folder with FashionMNIST/raw (default: %(default)s)")
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--batch-size", type=int, default=64)
args = parser.parse_args()

keras.utils.set_random_seed(0)

(x_train, y_train), (x_test, y_test) = load_data(os.path.join(args.data, "FashionMNIST", "raw"))
x_train = np.expand_dims(x_train, -1).astype("float32") / 255
x_test = np.expand_dims(x_test, -1).astype("float32") / 255

model = keras.Sequential(
    [
        keras.Input(shape=(28, 28, 1)),
        layers.Conv2D(16, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dropout(0.25),
        layers.Dense(128, activation="relu"),
        layers.Dense(10, activation="softmax"),
    ]
)
model.compile(
    optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)
model.fit(x_train, y_train, batch_size=args.batch_size, epochs=args.epochs, validation_data=(x_test, y_test), verbose=2)

loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
print(f"test loss {loss:.4f}, accuracy {accuracy:.4f}")
model.save("fashion_mnist_cnn.keras")
