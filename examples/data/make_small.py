"""Write scikit-learn's digits in the file formats of Fashion-MNIST and CIFAR-10, to try the examples offline.

1,400 digits to train on and 360 to test with, grey images of 8 x 8 pixels in ten classes, are enlarged to 28 x 28 and
to 32 x 32 x 3. Folders and names are those of the originals, so that the real files can lie there instead:

    data/FashionMNIST/raw/train-images-idx3-ubyte.gz ...   https://github.com/zalandoresearch/fashion-mnist
    data/cifar-10-batches-py/data_batch_1 ...              https://www.cs.toronto.edu/~kriz/cifar.html

Files that are there already are never written over. Needs scikit-learn.

    python make_small.py                 writes the folder data
    python make_small.py --data FOLDER
"""

import argparse
import gzip
import os
import pickle
import struct

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

CLASSES = [b"zero", b"one", b"two", b"three", b"four", b"five", b"six", b"seven", b"eight", b"nine"]


def enlarged(images, size):
    """Each pixel as a square, with a black frame."""
    scale = size // images.shape[1]
    frame = (size - scale * images.shape[1]) // 2
    return np.pad(images.repeat(scale, axis=1).repeat(scale, axis=2), ((0, 0), (frame, frame), (frame, frame)))


def write(path, content):
    """Write a file that is not there yet, whole or not at all."""
    if os.path.exists(path):
        print(f"{path} is there already")
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(f"{path}.part", "wb") as file:
        file.write(content)
    os.replace(f"{path}.part", path)
    print(f"wrote {path}")


def idx(array):
    """An array of bytes in the IDX format: type, number of dimensions, sizes in big endian, the bytes."""
    head = struct.pack(f">BBBB{array.ndim}I", 0, 0, 0x08, array.ndim, *array.shape)
    return gzip.compress(head + array.astype(np.uint8).tobytes(), mtime=0)


def write_fashion_mnist(folder, train, test):
    """Four files in the IDX format."""
    for name, (images, labels) in (("train", train), ("t10k", test)):
        write(os.path.join(folder, f"{name}-images-idx3-ubyte.gz"), idx(enlarged(images, 28)))
        write(os.path.join(folder, f"{name}-labels-idx1-ubyte.gz"), idx(labels))


def batch(name, images, labels):
    """A pickled dict; each row of its data has the 1,024 red values of an image, then the green, then the blue."""
    grey = enlarged(images, 32).reshape(len(images), -1)
    data = np.concatenate([grey, grey // 2, 255 - grey], axis=1).astype(np.uint8)
    return pickle.dumps({b"batch_label": name.encode(), b"labels": labels.tolist(), b"data": data}, protocol=2)


def write_cifar10(folder, train, test):
    """Five batches for training, one for testing, and the names of the classes."""
    parts = zip(np.array_split(train[0], 5), np.array_split(train[1], 5))
    for number, (images, labels) in enumerate(parts, start=1):
        write(os.path.join(folder, f"data_batch_{number}"), batch(f"training batch {number} of 5", images, labels))
    write(os.path.join(folder, "test_batch"), batch("testing batch 1 of 1", *test))
    write(os.path.join(folder, "batches.meta"), pickle.dumps({b"label_names": CLASSES}, protocol=2))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Write scikit-learn's digits as Fashion-MNIST and CIFAR-10.")
    parser.add_argument("--data", default="data", help="the folder to write to (default: %(default)s)")
    args = parser.parse_args()

    digits = load_digits()
    pixels = (digits.images * 255 / 16).astype(np.uint8)
    x_train, x_test, y_train, y_test = train_test_split(
        pixels, digits.target, train_size=1400, test_size=360, random_state=0
    )
    write_fashion_mnist(os.path.join(args.data, "FashionMNIST", "raw"), (x_train, y_train), (x_test, y_test))
    write_cifar10(os.path.join(args.data, "cifar-10-batches-py"), (x_train, y_train), (x_test, y_test))
