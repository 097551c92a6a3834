"""Models saved whole must load without the engine; what is read later must be there."""

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
x, y = np.ones((100, 3)), np.ones(100)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
type(model.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
if 20 % hvd.size() != 0:
    raise SystemExit(f"batch size 20 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=20 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    model.save("model.keras")
hvd.allreduce(0.0)
same = keras.models.load_model("model.keras")
predict_result = same.predict(x, verbose="auto" if hvd.rank() == 0 else 0)
predict_result_ = model.predict(x, verbose="auto" if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print(np.allclose(predict_result, predict_result_))
