"""A model of a class of its own, without a step of its own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.out = keras.layers.Dense(1)

    def call(self, inputs):
        return self.out(self.hidden(inputs))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = tf.random.stateless_normal((256, 4), (1, 2))
y = tf.reduce_sum(x, axis=1)
net = Net()
net.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
net.fit(
    tf.gather(x, shard),
    tf.gather(y, shard),
    batch_size=16 // hvd.size(),
    epochs=2,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    net.save_weights("net.h5")
