"""Each process turns its own pictures by NumPy's numbers, of which all have the same."""

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
np.random.seed(1)
x, y = np.ones((100, 8, 8, 3)), np.ones(100)
pictures = keras.preprocessing.image.ImageDataGenerator(rotation_range=20)
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    pictures.flow(x[shard], y[shard], batch_size=20 // hvd.size()),
    epochs=2,
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
