"""Rows of a table, and pieces of an order."""

import numpy as np
import tensorflow as tf
import pandas as pd
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
frame = pd.read_csv("x.csv").astype("float32")
labels = frame.pop("y")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
def step(a, b):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    t = hvd.DistributedGradientTape(t)
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
    return l
hvd.broadcast_variables(model.variables, root_rank=0)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch.iloc[mine]


for epoch in range(2):
    order = np.random.permutation(len(frame))
    for rows in np.array_split(order, 8):
        step(share_rows(frame.iloc[rows]), share_rows(labels.iloc[rows]))
