"""Gradients of a loss of its own that are clipped: under a strategy each replica would clip its own."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd
from horovod.tensorflow import DistributedGradientTape


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - self(x, training=True)))
        tape = DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.trainable_variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {}


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
inputs = keras.Input((4,))
net = Net(inputs, keras.layers.Dense(1)(inputs))
net.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
inputs_ = np.ones((64, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs_), hvd.size()) % len(inputs_)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
net.fit(
    inputs_[shard],
    np.ones((64, 1))[shard],
    batch_size=16 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
