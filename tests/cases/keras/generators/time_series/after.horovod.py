"""Windows of a series, made by Keras' own Sequence."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
series = np.load("series.npy")
windows = TimeseriesGenerator(series, series, length=10, batch_size=32)
model = keras.Sequential([keras.layers.LSTM(8, input_shape=(10, 1)), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")


class Share(keras.utils.Sequence):
    def __init__(self, batches):
        self.batches = batches

    def __len__(self):
        return len(self.batches)

    def __getitem__(self, index):
        batch = self.batches[index]
        rows = len(tf.nest.flatten(batch)[-1])
        mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
        return tf.nest.map_structure(lambda part: np.asarray(part)[mine], batch)

    def on_epoch_end(self):
        self.batches.on_epoch_end()


callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(Share(windows), epochs=5, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
