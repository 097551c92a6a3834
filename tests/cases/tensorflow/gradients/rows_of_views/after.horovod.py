"""Views of a sample are rows for the model, and come back to their sample."""

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
views = 2
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(np.load("views.npy"))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
dataset = samples.shuffle(500, seed=1).batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(16)])
optimizer = tf.keras.optimizers.SGD(0.01)

first_step = True
for epoch in range(3):
    for inputs in dataset:
        with tf.GradientTape() as tape:
            rows = model(tf.reshape(inputs, [-1, 20]), training=True)
            pairs = tf.reshape(rows, [-1, views, 16])
            loss = tf.reduce_mean(tf.square(pairs[:, 0] - pairs[:, 1]))
            loss += tf.reduce_mean(tf.square(tf.reshape(rows, [tf.shape(rows)[0] // views, 16 * views])))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if first_step:
            hvd.broadcast_variables(model.variables, root_rank=0)
            hvd.broadcast_variables(optimizer.variables(), root_rank=0)
            first_step = False
