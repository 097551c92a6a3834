"""A project: the loop over epochs in the script; the step, the model and the data in a package."""

import os

import tensorflow as tf

from net.data import load
from net.model import Regressor
from net.step import evaluate, train_epoch


def main(epochs=3, folder="runs"):
    train, test = load()
    model = Regressor(8)
    model.build((None, 5))
    optimizer = tf.keras.optimizers.SGD(0.05)
    os.makedirs(folder, exist_ok=True)
    for epoch in range(epochs):
        loss = train_epoch(model, optimizer, train)
        print(f"epoch {epoch}: loss {loss:.4f}")
    print("test", round(evaluate(model, test), 4))
    model.save_weights(os.path.join(folder, "weights.h5"))


if __name__ == "__main__":
    main()
