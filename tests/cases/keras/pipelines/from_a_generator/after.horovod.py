"""A generator makes the samples; the data of another pipeline is read in an order by chance, and not fitted to."""

import random

import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
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
names = [f"{i}.npy" for i in range(100)]


def samples():
    random.shuffle(names)
    for name in names:
        yield np.load(name), 1.0


data = tf.data.Dataset.from_generator(samples, output_types=(tf.float32, tf.float32), output_shapes=((4,), ()))
if hvd.rank() == 0:
    tfds.load("mnist", split="train", shuffle_files=True)
hvd.allreduce(0.0)
looked_at = tfds.load("mnist", split="train", shuffle_files=True)
for sample in looked_at.take(1):
    if hvd.rank() == 0:
        print(sample)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss="mse")

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(data.shuffle(100).batch(32).map(share), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
