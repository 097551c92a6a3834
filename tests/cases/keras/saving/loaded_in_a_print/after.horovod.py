"""What a print computes with a loaded model gets a name first; the barrier stands in front of that."""

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
x, y = np.random.RandomState(0).rand(64, 4), np.random.RandomState(1).rand(64)
keras.utils.set_random_seed(0)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), "mse")
type(model.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
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
if hvd.rank() == 0:
    model.save("last.keras")
hvd.allreduce(0.0)
predict_result = keras.models.load_model("last.keras").predict(x, verbose="auto" if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(predict_result.shape)
