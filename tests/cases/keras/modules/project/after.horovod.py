"""A project: data, model and training each in a module of a package, which also draw, write and print."""

import argparse

from shop.data import CLASSES, load
from shop.train import train
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--out", default="runs")
    args = parser.parse_args()
    data = load()
    model = train(data, CLASSES, args.epochs, args.out)
    evaluate_result = model.evaluate(*data.test, verbose=0)
    if hvd.rank() == 0:
        print(evaluate_result)


if __name__ == "__main__":
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
    main()
