"""Metrics of the script's own that give a batch to scikit-learn, or to a metric of Keras."""

import numpy as np
import tensorflow as tf
from sklearn.metrics import roc_auc_score
import horovod.tensorflow.keras as hvd


def auc(y_true, y_pred):
    return tf.py_function(roc_auc_score, (y_true, y_pred), tf.double)


def overlap(y_true, y_pred):
    counted = tf.keras.metrics.MeanIoU(2)
    counted.update_state(y_true, y_pred > 0.5)
    return counted.result()


def far(y_true, y_pred):
    return tf.reduce_mean(tf.cast(tf.abs(y_true - y_pred) > 0.5, tf.float32))


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), "binary_crossentropy", metrics=[far, auc, overlap])
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
inputs = np.load("x.npy")
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    inputs[shard],
    np.load("y.npy")[shard],
    batch_size=16 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
