"""Several star imports: a class is from the module that has it."""
import numpy as np
from tensorflow.keras.models import *
from tensorflow.keras.layers import *
from tensorflow.keras.optimizers import *
from tensorflow.keras.callbacks import *
import horovod.tensorflow.keras as hvd
import tensorflow as tf
from tensorflow.keras.optimizers import SGD

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x, y = np.random.RandomState(0).rand(64, 4), np.arange(64) % 2
left = Input((4,))
merged = concatenate([Dense(4)(left), Dense(2, activation="relu")(left)])
model = Model(left, Dense(1, activation="sigmoid")(merged))
model.compile(optimizer=hvd.DistributedOptimizer(Adam(1e-3)), loss="binary_crossentropy", metrics=["acc"])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    epochs=2,
    batch_size=16 // hvd.size(),
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        EarlyStopping(monitor="loss"),
        *([ModelCheckpoint("best.h5")] if hvd.rank() == 0 else []),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
second = Sequential([Dense(1, input_shape=(4,))])
second.compile(hvd.DistributedOptimizer(SGD()), "mse")
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks_ = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
second.fit(
    x[shard], y[shard], epochs=2, batch_size=16 // hvd.size(), callbacks=callbacks_, verbose=1 if hvd.rank() == 0 else 0
)
