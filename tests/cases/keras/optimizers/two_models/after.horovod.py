"""A frozen base is trained first, then all of the model: two compiles, two fits."""

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
base = keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(96, 96, 3))
base.trainable = False
model = keras.Sequential([base, keras.layers.Dropout(0.2), keras.layers.Dense(2, activation="softmax")])
images, labels = np.zeros((64, 96, 96, 3), "float32"), np.zeros(64)
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "sparse_categorical_crossentropy")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(images), hvd.size()) % len(images)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    images[shard],
    labels[shard],
    epochs=1,
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
base.trainable = True
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam(1e-5)), "sparse_categorical_crossentropy")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(images), hvd.size()) % len(images)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    images[shard],
    labels[shard],
    epochs=1,
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
