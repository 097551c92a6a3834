"""An optimizer that adds noise to the gradients of the whole batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


@keras.utils.register_keras_serializable()
class Langevin(keras.optimizers.SGD):
    def update_step(self, gradient, variable):
        super().update_step(gradient + 0.1 * tf.random.normal(gradient.shape), variable)

    def get_config(self):
        return super().get_config()


x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(Langevin(0.1), "mse")
model.fit(x, y, batch_size=16)
