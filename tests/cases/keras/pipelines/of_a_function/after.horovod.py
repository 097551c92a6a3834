"""Samples made by a function of the script, in an order that it draws."""

import random

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
files = [f"data/{number}.npy" for number in range(1000)]


def samples():
    random.shuffle(files)
    for file in files:
        sample = np.load(file)
        yield sample[:-1], sample[-1]


data = tf.data.Dataset.from_generator(samples, output_types=(tf.float32, tf.float32), output_shapes=((4,), ()))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data.batch(32).prefetch(1).map(share), epochs=10, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
