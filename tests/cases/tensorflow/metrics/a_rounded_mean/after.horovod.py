"""A mean that is rounded down is averaged before it is rounded."""

import json

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
x = np.load("x.npy")
y = np.load("y.npy")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples_ = tf.data.Dataset.from_tensor_slices((x, y))
samples_ = samples_.concatenate(samples_.take(-len(samples_) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples_.batch(32 // hvd.size())
held_out = tf.data.Dataset.from_tensor_slices((x[:320], y[:320])).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()
measure = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
average = tf.keras.metrics.Mean()
history = {"loss": [], "epoch": []}

def step(samples, labels):
    with tf.GradientTape() as tape:
        loss = measure(labels, model(samples, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    average.update_state(loss)
    return loss

first_step = True
for epoch in range(3):
    for number, (samples, labels) in enumerate(data):
        loss = step(samples, labels)
        if first_step:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables(), root_rank=0)
            first_step = False
    mean_loss = hvd.allreduce(1000 * loss)
    if hvd.rank() == 0:
        print(epoch, int(mean_loss))
