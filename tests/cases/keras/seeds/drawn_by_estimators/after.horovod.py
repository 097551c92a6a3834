"""Samples that scikit-learn draws, and what its forests say of them, are the same on all processes."""

from concurrent.futures import ThreadPoolExecutor, as_completed

import numpy as np
from scipy.stats import norm
from sklearn.ensemble import IsolationForest
from sklearn.utils import resample
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
x, y = np.load("x.npy"), np.load("y.npy")
squares = np.zeros((len(x), 3))
with ThreadPoolExecutor(8) as pool:
    places = {pool.submit(np.square, row): number for number, row in enumerate(x)}
    for done in as_completed(places):
        squares[places[done]] = done.result()
usual = IsolationForest().fit_predict(x) == 1
x, y = resample(squares[usual], y[usual], n_samples=1000)
x = x + norm.rvs(size=x.shape)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(y), hvd.size()) % len(y)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    np.asarray(x)[shard],
    np.asarray(y)[shard],
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
