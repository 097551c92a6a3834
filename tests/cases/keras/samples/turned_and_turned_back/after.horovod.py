"""A layer in which time steps come first for a while, and samples second."""
import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.load("x.npy")
y = np.load("y.npy")


class Attention(tf.keras.layers.Layer):
    def call(self, inputs):
        steps = tf.reshape(inputs, [-1, 4, 2])
        steps = tf.transpose(steps, [1, 0, 2])
        sums = tf.reduce_sum(steps, axis=2)
        return tf.transpose(sums, [1, 0])


model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(10,)), Attention(), tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), loss="mse")
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
