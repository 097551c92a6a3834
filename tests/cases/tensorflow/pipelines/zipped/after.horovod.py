"""Pipelines that are zipped are shared out batch by batch."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
tf.random.set_seed(hvd.broadcast_object(random.randrange(2**31)))
random.seed(hvd.broadcast_object(random.randrange(2**31)))
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

d1 = tf.data.Dataset.from_tensor_slices(x).batch(32); d2 = tf.data.Dataset.from_tensor_slices(y).batch(32)
hvd.broadcast_variables(model.variables, root_rank=0)

def share(*batch):
    def own_rows(part):
        rows = tf.shape(part)[0]
        return tf.gather(part, tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows)

    return tf.nest.map_structure(own_rows, batch if len(batch) > 1 else batch[0])

for a, b in tf.data.Dataset.zip((d1, d2)).map(share):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    t = hvd.DistributedGradientTape(t)
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
