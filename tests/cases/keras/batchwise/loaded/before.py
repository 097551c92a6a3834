"""A loaded model is trained with the optimizer that it brings."""

import numpy as np
from tensorflow import keras

model = keras.models.load_model("model.h5")
for step in range(100):
    model.train_on_batch(np.ones((32, 4)), np.ones(32))
