"""A published data set, whose split is named by a member of tfds.Split, goes through one function with what it validates on."""

import tensorflow as tf
import tensorflow_datasets as tfds
import horovod.tensorflow.keras as hvd
import numpy as np
import random


@tf.function
def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def prepare(data, training=False):
    if training:
        data = data.shuffle(2048).map(flip, num_parallel_calls=4)
    return data.batch(128).prefetch(8)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
if hvd.rank() == 0:
    tfds.load(name="cifar10", split=tfds.Split.TRAIN, as_supervised=True)
hvd.allreduce(0.0)
train = prepare(tfds.load(name="cifar10", split=tfds.Split.TRAIN, as_supervised=True), True)
if hvd.rank() == 0:
    tfds.load(name="cifar10", split=tfds.Split.TEST, as_supervised=True)
hvd.allreduce(0.0)
test = prepare(tfds.load(name="cifar10", split=tfds.Split.TEST, as_supervised=True))
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(
    hvd.DistributedOptimizer(tf.keras.optimizers.Adam()),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train.map(share), epochs=5, validation_data=test, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
