"""An optimizer that cuts gradients to size and adds noise, for each part of the batch that it sees."""

import numpy as np
import tensorflow_privacy
from tensorflow import keras

x, y = np.zeros((64, 8)), np.zeros((64, 1))
model = keras.Sequential([keras.layers.Dense(1)])
optimizer = tensorflow_privacy.DPKerasSGDOptimizer(l2_norm_clip=1.0, noise_multiplier=0.5, learning_rate=0.1)
model.compile(optimizer, "mse")
model.fit(x, y, batch_size=16)
