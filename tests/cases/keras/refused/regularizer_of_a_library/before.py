"""An average over the batch that Keras divides by its number of samples once more."""

import numpy as np
import tensorflow_probability as tfp
from tensorflow import keras

x = np.zeros((64, 8))
prior = tfp.distributions.Independent(tfp.distributions.Normal(loc=np.zeros(2), scale=1), 1)
regularizer = tfp.layers.KLDivergenceRegularizer(prior)
coded = tfp.layers.MultivariateNormalTriL(2, activity_regularizer=regularizer)
model = keras.Sequential([keras.layers.Dense(5, input_shape=(8,)), coded, keras.layers.Dense(8)])
model.compile("adam", loss="mse")
model.fit(x, x, batch_size=16)
