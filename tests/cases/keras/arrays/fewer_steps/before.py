"""An epoch has fewer steps than the data has batches: as many with the parts of the processes."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(np.zeros((640, 4)), np.zeros(640), batch_size=128, steps_per_epoch=3, epochs=2)
