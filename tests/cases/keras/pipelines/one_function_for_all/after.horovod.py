"""A function prepares training and test data alike: batches are dealt out behind it."""

import tensorflow as tf
import horovod.tensorflow.keras as hvd
import numpy as np
import random


def prepare(data, training):
    data = data.map(lambda image, label: (image / 255, label))
    if training:
        data = data.shuffle(100)
    return data.batch(32).prefetch(1)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
if hvd.rank() == 0:
    tf.keras.datasets.mnist.load_data()
hvd.allreduce(0.0)
(x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
train = prepare(tf.data.Dataset.from_tensor_slices((x, y)), True)
test = prepare(tf.data.Dataset.from_tensor_slices((x_test, y_test)), False)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(
    hvd.DistributedOptimizer(tf.keras.optimizers.Adam()),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    ["accuracy"],
)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train.map(share), epochs=2, validation_data=test, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
