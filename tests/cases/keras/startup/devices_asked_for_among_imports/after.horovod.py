"""A try among the imports asks for devices, which starts TensorFlow: the start stands in front of it."""
import numpy as np
from tensorflow.keras.layers import LSTM, Dense, Input
from tensorflow.keras.models import Model
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow.keras.optimizers import Adam

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
try:
    import tensorflow.keras.backend as K

    if len(K._get_available_gpus()) > 0:
        from tensorflow.compat.v1.keras.layers import CuDNNLSTM as LSTM
except Exception:
    pass


x, y = np.random.RandomState(0).rand(64, 5, 3), np.arange(64) % 2
inputs = Input((5, 3))
model = Model(inputs, Dense(1, activation="sigmoid")(LSTM(4)(inputs)))
model.compile(hvd.DistributedOptimizer(Adam()), "binary_crossentropy")
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
