"""Vectors of words are trained by threads, and are the weights of a layer."""

import numpy as np
from gensim.models import Word2Vec
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
words = Word2Vec([line.split() for line in open("texts.txt")], vector_size=16, workers=4)
vectors = np.stack([words.wv[word] for word in words.wv.index_to_key])
model = keras.Sequential([keras.layers.Embedding(*vectors.shape, weights=[vectors]), keras.layers.LSTM(8)])
model.add(keras.layers.Dense(1))
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=8 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
