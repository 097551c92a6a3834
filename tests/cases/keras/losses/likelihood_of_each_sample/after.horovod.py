"""The likelihood of each sample, with weights that layers draw and compare with a prior by themselves."""

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
from tensorflow import keras
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tfd = tfp.distributions


def divergence(q, p, _):
    return tfd.kl_divergence(q, p) / 64.0


x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential(
    [
        tfp.layers.DenseFlipout(2, kernel_divergence_fn=divergence),
        tfp.layers.DistributionLambda(lambda t: tfd.Normal(loc=t[..., :1], scale=tf.math.softplus(t[..., 1:]))),
    ]
)
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss=lambda y_true, given: -given.log_prob(y_true))
if 16 % hvd.size() != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(x[shard], y[shard], batch_size=16 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
