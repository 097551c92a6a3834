"""A batch in one row, flat or turned, of which the mean is taken: it is that over the samples."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.load("x.npy")
y = np.load("y.npy")


def in_a_row(y_true, y_pred):
    return tf.reduce_mean(tf.square(tf.reshape(y_true, [1, -1]) - tf.reshape(y_pred, [1, -1])))


def flat(y_true, y_pred):
    return tf.keras.losses.binary_crossentropy(K.flatten(y_true), K.flatten(y_pred))


def turned(y_true, y_pred):
    errors = tf.transpose(tf.abs(y_true - y_pred))
    return tf.reduce_max(tf.transpose(errors), axis=1) + tf.reduce_mean(errors)


def loss(y_true, y_pred):
    return in_a_row(y_true, y_pred) + flat(y_true, y_pred) + turned(y_true, y_pred)


model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(10,))])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), loss=loss)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=3, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
