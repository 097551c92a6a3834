"""Words are numbered in the order of a set, which is another one in each process."""
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
texts = ["a good film", "a bad film", "good music", "bad music and a good film"] * 25
words = set(word for text in texts for word in text.split())
numbers = {word: number for number, word in enumerate(sorted(words))}

x = np.zeros((len(texts), len(numbers)), dtype="float32")
for row, text in enumerate(texts):
    for word in text.split():
        x[row, numbers[word]] = 1
y = np.array(["good" in text for text in texts], dtype="float32")

model = keras.Sequential([keras.layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.SGD(0.1)), loss="binary_crossentropy")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=20 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
