"""Averages over the batch, weighed and added up, and roots for each sample, are averages of the whole."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import backend as K
import horovod.tensorflow.keras as hvd
import tensorflow as tf


def absolute(y_true, y_pred):
    return K.mean(K.abs(y_true - y_pred))


def mixed(y_true, y_pred, share=0.3):
    lengths = K.sqrt(K.sum(K.square(y_true - y_pred), axis=-1))
    return (1 - share) * absolute(y_true, y_pred) + share * K.mean(lengths) / 2.0


def focal(gamma):
    def loss(y_true, y_pred):
        return -K.mean(K.pow(1.0 - y_pred, gamma) * y_true * K.log(y_pred + K.epsilon()))

    return loss


def train(loss):
    model = keras.Sequential([keras.layers.Dense(3, activation="softmax")])
    model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss=loss)
    if 32 % hvd.size() != 0:
        raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
    inputs = np.ones((320, 4))
    shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
    callbacks = [
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
    ]
    model.fit(
        inputs[shard],
        np.ones((320, 3))[shard],
        batch_size=32 // hvd.size(),
        callbacks=callbacks,
        verbose=1 if hvd.rank() == 0 else 0,
    )


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
train(mixed)
train(focal(2.0))
