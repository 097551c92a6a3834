"""Models saved whole must load without the engine; what is read later must be there."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=20)
model.save("model.keras")
with strategy.scope():
    same = keras.models.load_model("model.keras")
print(np.allclose(same.predict(x), model.predict(x)))
