"""A callback draws for all processes alike, so the noise of the step is alike too, and a review says so."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import random
from horovod.tensorflow import DistributedGradientTape

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
x = np.ones((100, 3), dtype="float32")


class Denoiser(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, inputs):
        return self.dense(inputs)

    def train_step(self, data):
        noise = tf.random.normal(tf.shape(data))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(data + noise) - data))
        tape = DistributedGradientTape(tape)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Show(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        model_result = self.model(tf.random.normal((2, 3)))
        if hvd.rank() == 0:
            print(model_result.numpy())


model = Denoiser()
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()))
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    batch_size=20 // hvd.size(),
    callbacks=[hvd.callbacks.BroadcastGlobalVariablesCallback(0), hvd.callbacks.MetricAverageCallback(), Show()],
    verbose=1 if hvd.rank() == 0 else 0,
)
