"""Data that is shuffled and then divided has one order on all processes: rank 0's seed is shared."""

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
x = np.load("x.npy")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(1000, reshuffle_each_iteration=False)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = data.skip(100)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(32 // hvd.size())
test = data.take(100).batch(100)
model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
optimizer = tf.keras.optimizers.SGD()
hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(2):
    for batch in train:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(batch) - batch))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    for batch in test:
        model_result = model(batch)
        if hvd.rank() == 0:
            print("test", float(tf.reduce_mean(tf.square(model_result - batch))))
