"""Data, model and training live in functions; the calls of the model's makers go under the scope."""

import argparse

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd


def load(n):
    x = np.random.default_rng(0).normal(size=(n, 5))
    return x, x.sum(1)


def build(units):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Dense(units, activation="relu", input_shape=(5,)))
    model.add(tf.keras.layers.Dense(1))
    return model


def train(model, x, y, args):
    model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam(args.lr)))
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    return model.fit(x[shard], y[shard], batch_size=args.batch_size // hvd.size(), epochs=args.epochs, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    x, y = load(1000)
    model = build(16)
    history = train(model, x, y, args)
    if hvd.rank() == 0:
        print(history.history["loss"][-1])


if __name__ == "__main__":
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    main()
