"""A model that is only asked, not trained."""

import numpy as np
from tensorflow import keras

model = keras.models.load_model("model.h5")
print(model.predict(np.ones((1, 3))))
