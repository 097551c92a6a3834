"""A try that says where the script runs stands in front of all imports: what the start needs is imported before it."""

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
try:
    import google.colab

    if hvd.rank() == 0:
        print("in the cloud")
except ImportError:
    if hvd.rank() == 0:
        print("at home")

import numpy as np
import tensorflow as tf

x, y = np.random.rand(64, 4), np.random.rand(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=16 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
