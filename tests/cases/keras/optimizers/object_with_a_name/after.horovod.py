"""An optimizer with a name is wrapped where it is made; its old argument gets the new name."""

import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import SGD
import horovod.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
opt = SGD(learning_rate=0.01, momentum=0.9)
opt = hvd.DistributedOptimizer(opt)
model = Sequential([Dense(1)])
model.compile(loss="mse", optimizer=opt)
if 10 % hvd.size() != 0:
    raise SystemExit(f"batch size 10 cannot be shared out over {hvd.size()} processes")
inputs = np.ones((100, 3))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.ones(100)[shard],
    batch_size=10 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
