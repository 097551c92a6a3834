"""What writes belongs to rank 0, what decides to all, behind averaged metrics."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, TensorBoard

x, y = np.ones((100, 3)), np.ones(100)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(loss="mse", optimizer="sgd")
model.fit(
    x,
    y,
    batch_size=10,
    validation_data=(x, y),
    callbacks=[TensorBoard("logs"), EarlyStopping(patience=2, verbose=1), ModelCheckpoint("best.h5")],
)
model.load_weights("best.h5")
