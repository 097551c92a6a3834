"""The last tenth is held back before the rest is shared out; every process validates on all of it."""

import tensorflow as tf
from tensorflow.keras import layers, models
import horovod.tensorflow.keras as hvd
import numpy as np

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    tf.keras.datasets.mnist.load_data()
hvd.allreduce(0.0)
(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
batch = 64
model = models.Sequential()
model.add(layers.Flatten(input_shape=(28, 28)))
model.add(layers.Dense(10, activation="softmax"))
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "sparse_categorical_crossentropy", ["accuracy"])
if batch % hvd.size() != 0:
    raise SystemExit(f"batch size {batch} cannot be shared out over {hvd.size()} processes")
inputs = x_train / 255.0
split = int(len(y_train) * (1 - 0.1))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
history = model.fit(
    inputs[shard],
    y_train[shard],
    batch // hvd.size(),
    5,
    validation_data=(inputs[split:], y_train[split:]),
    shuffle=False,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    print(max(history.history["val_accuracy"]))
