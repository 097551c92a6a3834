"""Data, model and training live in functions; the calls of the model's makers go under the scope."""

import argparse

import numpy as np
import tensorflow as tf


def load(n):
    x = np.random.default_rng(0).normal(size=(n, 5))
    return x, x.sum(1)


def build(units):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Dense(units, activation="relu", input_shape=(5,)))
    model.add(tf.keras.layers.Dense(1))
    return model


def train(model, x, y, args):
    with strategy.scope():
        model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(args.lr))
    return model.fit(x, y, batch_size=args.batch_size, epochs=args.epochs, verbose=1 if strategy.extended.should_checkpoint else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    x, y = load(1000)
    with strategy.scope():
        model = build(16)
    history = train(model, x, y, args)
    if strategy.extended.should_checkpoint:
        print(history.history["loss"][-1])


if __name__ == "__main__":
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    tf.keras.utils.set_random_seed(1)
    main()
