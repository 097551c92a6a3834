"""A step that tests returns its own loss by a name: replicas add it up, as they do what a step that trains returns."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
from horovod.tensorflow import DistributedGradientTape


class Coder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
        self.total = tf.keras.metrics.Mean(name="total")

    @property
    def metrics(self):
        return [self.total]

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        tape = DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.total.update_state(loss)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        shown = {"loss": tf.reduce_mean(tf.square(self(x) - y))}
        return shown


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.ones((100, 3), dtype="float32"), np.ones((100, 3), dtype="float32")
model = Coder()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    y[shard],
    batch_size=20 // hvd.size(),
    validation_data=(x, y),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
