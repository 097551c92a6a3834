"""An average that TensorFlow divides by the number of replicas itself: divided again, it would be too small."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd
from horovod.tensorflow import DistributedGradientTape


class Net(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            each = keras.losses.mean_squared_error(y, self(x, training=True))
            loss = tf.nn.compute_average_loss(each)
        tape = DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {m.name: m.result() for m in self.metrics}


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
