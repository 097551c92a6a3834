"""The loss of the last training batch, kept in tables of pandas and in an object of a library."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(1)
x = np.load("x.npy")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.shuffle(64).batch(8 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.1)


def loss_of(batch):
    return tf.reduce_mean(tf.square(model(batch) - batch))


losses = pd.DataFrame(columns=["error"])
best = pd.Series(dtype=float)
kept = SimpleNamespace(errors=[])
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = loss_of(batch)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    error = np.mean([loss_of(batch), loss_of(batch)])
    losses.loc[len(losses)] = [error]
    best[epoch] = error
    kept.errors.append(error)
    if hvd.rank() == 0:
        print("error:", losses.error.values[-1])
        print("best error:", best.min())
        print("errors:", kept.errors)
mean_error = float(hvd.allreduce(tf.constant(error, tf.float64)))
if hvd.rank() == 0:
    print(pd.DataFrame({"last": [mean_error]}).to_string())
