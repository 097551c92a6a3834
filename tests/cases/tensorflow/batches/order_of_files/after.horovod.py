"""A list of paths becomes a sorted one."""

import pathlib

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(1)
files = sorted(pathlib.Path("data").glob("*.npy"))
images = np.stack([np.load(file) for file in files])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(images)
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
data = samples.shuffle(1000).batch(32 // hvd.size(), drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
optimizer = tf.keras.optimizers.SGD()
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for batch in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
