"""A loaded model brings an optimizer that averages nothing."""

import numpy as np
from tensorflow import keras

model = keras.models.load_model("model.h5")
model.fit(np.ones((1000, 3)), np.ones(1000), batch_size=10)
