"""Windows of a series, each of them one sample, are cut in a loop of the function that makes a batch of them."""

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
random.seed(hvd.broadcast_object(random.randrange(2**31)))
series = np.sin(np.arange(2000) / 10).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(20)])
optimizer = tf.keras.optimizers.Adam(0.01)


def windows(series, length, count):
    inputs, targets = [], []
    for i in np.random.choice(len(series) - 2 * length, count):
        inputs.append(series[i : i + length])
        targets.append(series[i + length : i + 2 * length])
    return np.array(inputs), np.array(targets)


first_step = True
def share_rows(batch):
    rows = len(tf.nest.flatten(batch)[0])
    mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: part[mine], batch)


for step in range(20):
    past, future = share_rows(windows(series, 20, 8))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(past) - future))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    if first_step:
        hvd.broadcast_variables(model.variables, root_rank=0)
        hvd.broadcast_variables(optimizer.variables(), root_rank=0)
        first_step = False
