"""Sparse matrices have rows and no length; some have not even rows."""

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
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
words = CountVectorizer().fit_transform(open("texts.txt"))
y = np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + words.shape[0], hvd.size()) % words.shape[0]
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(words[shard], y[shard], batch_size=8 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)

numbers = csr_matrix(np.load("numbers.npy"))
both = hstack((words, numbers))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + both.shape[0], hvd.size()) % both.shape[0]
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    both.tocsr()[shard], y[shard], batch_size=8 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)

x_train, x_test, y_train, y_test = train_test_split(both.tocsr(), y, random_state=0)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + x_train.shape[0], hvd.size()) % x_train.shape[0]
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x_train[shard],
    y_train[shard],
    batch_size=8 // hvd.size(),
    validation_data=(x_test, y_test),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(y_train), hvd.size()) % len(y_train)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x_train.toarray()[shard],
    y_train[shard],
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
