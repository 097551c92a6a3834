"""Batch size and epochs from the command line."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

import argparse
def train(args):
    if args.batch_size % hvd.size() != 0:
        raise SystemExit(f"batch size {args.batch_size} cannot be shared out over {hvd.size()} processes")
    samples = tf.data.Dataset.from_tensor_slices((x, y))
    samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
    data = samples.shuffle(100).batch(args.batch_size // hvd.size())
    hvd.broadcast_variables(model.variables, root_rank=0)
    for e in range(args.epochs):
        s = 0.0
        for a, b in data:
            with tf.GradientTape() as t:
                l = mse(b, model(a))
            t = hvd.DistributedGradientTape(t)
            g = t.gradient(l, model.trainable_variables)
            opt.apply_gradients(zip(g, model.trainable_variables))
            s += l
        s = hvd.allreduce(s)
        if hvd.rank() == 0:
            print(e, s.numpy())
p = argparse.ArgumentParser(); p.add_argument("--batch_size", type=int, default=32); p.add_argument("--epochs", type=int, default=2)
train(p.parse_args())
