"""A Dice loss of each sample, whatever its shape."""
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


def dice(a, b):
    return 2 * K.sum(a * b, axis=-1) / (K.sum(a, axis=-1) + K.sum(b, axis=-1))


def loss(y_true, y_pred):
    shape = [tf.shape(y_true)[0], -1]
    return 1 - dice(tf.reshape(y_true, shape), K.batch_flatten(y_pred))


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
