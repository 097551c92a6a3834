"""Gradients for one variable are no list, which Horovod's tape needs: they are all-reduced where they stand."""

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
tf.random.set_seed(hvd.broadcast_object(random.randrange(2**31)))
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

W = tf.Variable(tf.random.normal([6, 1])); c = tf.Variable(0.0)
for a, b in ds:
    with tf.GradientTape(persistent=True) as t:
        l = tf.reduce_mean((tf.matmul(a, W) + c - b) ** 2)
    dW, dc = hvd.allreduce(t.gradient(l, W)), hvd.allreduce(t.gradient(l, c))
    W.assign_sub(0.1 * dW); c.assign_sub(0.1 * dc)
if hvd.rank() == 0:
    print(W.numpy().ravel(), c.numpy())
