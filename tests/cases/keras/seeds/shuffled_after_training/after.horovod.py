"""Data of several sources is shuffled after a first training: all processes must go on shuffling it alike."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(7)


def make():
    model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dropout(0.5), keras.layers.Dense(1)])
    model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
    return model


x, y = np.zeros((640, 4)), np.zeros(640)
first, second = make(), make()
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
first.fit(x[shard], y[shard], batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)


def endless(x, y):
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(640).repeat()


both = tf.data.Dataset.sample_from_datasets([endless(x[:9], y[:9]), endless(x[9:], y[9:])], weights=[0.5, 0.5])
both = both.batch(32).prefetch(2)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
second.fit(both.map(share), epochs=2, steps_per_epoch=10, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
