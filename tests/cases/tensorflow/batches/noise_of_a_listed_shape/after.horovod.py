"""Noise of as many rows as the batch has, in shapes that are lists."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.load("x.npy").astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(6,))])
optimizer = tf.keras.optimizers.SGD(0.1)
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for batch in data:
        noise = tf.random.normal([tf.shape(batch)[0], 2])
        shift = tf.random.uniform(shape=[batch.shape[0], 1])
        with tf.GradientTape() as tape:
            made = model(tf.concat([batch + shift, noise], axis=1))
            loss = tf.reduce_mean(tf.square(made - batch))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
