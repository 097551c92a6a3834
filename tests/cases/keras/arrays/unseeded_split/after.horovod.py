"""A split that nobody seeds must be the same on every process."""

import numpy as np
from sklearn.model_selection import train_test_split
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
x = np.random.rand(300, 4)
y = x.sum(1)
x_train, x_test, y_train, y_test = train_test_split(x, y)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mae")
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x_train), hvd.size()) % len(x_train)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x_train[shard],
    y_train[shard],
    batch_size=10 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
evaluate_result = model.evaluate(x_test, y_test, verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(evaluate_result)
