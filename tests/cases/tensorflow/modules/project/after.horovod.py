"""A project: the loop over epochs in the script; the step, the model and the data in a package."""

import os

import tensorflow as tf

from net.data import load
from net.model import Regressor
from net.step import evaluate, train_epoch
import horovod.tensorflow as hvd


def main(epochs=3, folder="runs"):
    train, test = load()
    model = Regressor(8)
    model.build((None, 5))
    optimizer = tf.keras.optimizers.SGD(0.05)
    os.makedirs(folder, exist_ok=True)
    hvd.broadcast_variables(model.variables, root_rank=0)
    for epoch in range(epochs):
        loss = train_epoch(model, optimizer, train)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: loss {loss:.4f}")
    evaluate_result = evaluate(model, test)
    if hvd.rank() == 0:
        print("test", round(evaluate_result, 4))
        model.save_weights(os.path.join(folder, "weights.h5"))


if __name__ == "__main__":
    hvd.init()
    gpus = tf.config.list_physical_devices("GPU")
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)
    if gpus:
        tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
    main()
