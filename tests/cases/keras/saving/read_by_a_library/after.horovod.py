"""What rank 0 has saved is read by a function of another library: all wait for it."""

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
vectors = Word2Vec([["a", "b"], ["b", "c"]], workers=1)
if hvd.rank() == 0:
    vectors.save("vectors.model")
hvd.allreduce(0.0)
again = Word2Vec.load("vectors.model")
hvd.allreduce(0.0)
x = np.load("x.npy")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], x[:, :1][shard], batch_size=10 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
