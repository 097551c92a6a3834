"""A callback averages the weights from the first ones on, which must be equal on all processes before training."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import random


class Average(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        self.average = self.model.get_weights()

    def on_epoch_end(self, epoch, logs=None):
        self.average = [0.9 * old + 0.1 * new for old, new in zip(self.average, self.model.get_weights())]

    def on_train_end(self, logs=None):
        self.model.set_weights(self.average)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x, y = np.ones((100, 3)), np.ones(100)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=20 // hvd.size(),
    epochs=5,
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), Average()],
    verbose=1 if hvd.rank() == 0 else 0,
)
evaluate_result = model.evaluate(x, y, verbose=0)
if hvd.rank() == 0:
    print(evaluate_result)
