"""What is drawn within scikit-learn comes from NumPy's numbers too."""

import numpy as np
from sklearn.cluster import KMeans
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
x = np.load("x.npy")
labels = KMeans(10).fit_predict(x)
model = keras.Sequential([keras.layers.Dense(10, activation="softmax")])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "sparse_categorical_crossentropy")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    np.asarray(labels)[shard],
    epochs=5,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
