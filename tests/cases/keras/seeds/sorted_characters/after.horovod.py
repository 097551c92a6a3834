"""The order of a set is lost where it is sorted, however many lists lie between."""

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
with open("book.txt") as file:
    text = file.read()
characters = sorted(list(set(text)))
words = set(word for line in text.split() for word in line)
words = sorted(list(words))
longest = max([len(word) for word in words])
index = {character: i for i, character in enumerate(characters)}
x = np.zeros((len(text), len(characters)), dtype=bool)
for i, character in enumerate(text):
    x[i, index[character]] = 1
model = keras.Sequential([keras.layers.Dense(len(characters), activation="softmax")])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="categorical_crossentropy")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = x[:-1]
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard], x[1:][shard], batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
