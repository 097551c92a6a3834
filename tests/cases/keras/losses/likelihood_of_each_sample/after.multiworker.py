"""The likelihood of each sample, with weights that layers draw and compare with a prior by themselves."""

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
from tensorflow import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
tfd = tfp.distributions


def divergence(q, p, _):
    return tfd.kl_divergence(q, p) / 64.0


x, y = np.zeros((64, 8)), np.zeros((64, 1))
with strategy.scope():
    model = keras.Sequential(
        [
            tfp.layers.DenseFlipout(2, kernel_divergence_fn=divergence),
            tfp.layers.DistributionLambda(lambda t: tfd.Normal(loc=t[..., :1], scale=tf.math.softplus(t[..., 1:]))),
        ]
    )
    model.compile("sgd", loss=lambda y_true, given: -given.log_prob(y_true))
model.fit(x, y, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
