"""A dictionary made from a set has another order on each process."""

import numpy as np
from keras.layers import Dense, Embedding, Flatten
from keras.models import Sequential
import horovod.keras as hvd
import tensorflow as tf
from keras.optimizers import Adam

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
text = open("book.txt").read()
chars = sorted(set(text))
numbers = {c: i for i, c in enumerate(chars)}
x = np.array([[numbers[c] for c in text[i : i + 8]] for i in range(1000)])
model = Sequential([Embedding(len(chars), 8, input_length=8), Flatten(), Dense(1)])
model.compile(hvd.DistributedOptimizer(Adam()), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    np.ones(1000)[shard],
    batch_size=16 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
