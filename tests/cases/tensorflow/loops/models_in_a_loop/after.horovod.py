"""A model for each fold, made in the loop."""

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
random.seed(hvd.broadcast_object(random.randrange(2**31)))
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
ds = samples.batch(32 // hvd.size())
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

for fold in range(2):
    m = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
    o = tf.keras.optimizers.Adam(0.01)
    first_step = True
    for e in range(2):
        for a, b in ds:
            with tf.GradientTape() as t:
                l = mse(b, m(a))
            t = hvd.DistributedGradientTape(t)
            g = t.gradient(l, m.trainable_variables)
            o.apply_gradients(zip(g, m.trainable_variables))
            if first_step:
                hvd.broadcast_variables(m.variables, root_rank=0)
                hvd.broadcast_variables(o.variables(), root_rank=0)
                first_step = False
    if hvd.rank() == 0:
        print(fold, sum(float(tf.reduce_sum(w)) for w in m.weights))
