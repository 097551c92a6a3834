"""What is sent is sent once."""

import smtplib

import numpy as np
import requests
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(3,))])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
history = model.fit(
    x[shard], y[shard], batch_size=8 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
if hvd.rank() == 0:
    requests.post("https://example.org/hook", json={"text": f"loss {history.history['loss'][-1]}"})
server = smtplib.SMTP("localhost")
if hvd.rank() == 0:
    server.sendmail("a@example.org", "b@example.org", "done")
