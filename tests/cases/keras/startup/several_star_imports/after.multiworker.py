"""Several star imports: a class is from the module that has it."""
import numpy as np
from tensorflow.keras.models import *
from tensorflow.keras.layers import *
from tensorflow.keras.optimizers import *
from tensorflow.keras.callbacks import *
import tensorflow as tf
import tensorflow.keras.utils as utils

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
x, y = np.random.RandomState(0).rand(64, 4), np.arange(64) % 2
with strategy.scope():
    left = Input((4,))
    merged = concatenate([Dense(4)(left), Dense(2, activation="relu")(left)])
    model = Model(left, Dense(1, activation="sigmoid")(merged))
    model.compile(optimizer=Adam(1e-3), loss="binary_crossentropy", metrics=["acc"])
model.fit(
    x,
    y,
    epochs=2,
    batch_size=16,
    callbacks=[EarlyStopping(monitor="loss"), ModelCheckpoint("best.h5")],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
with strategy.scope():
    second = Sequential([Dense(1, input_shape=(4,))])
    second.compile("sgd", "mse")
second.fit(x, y, epochs=2, batch_size=16, verbose=1 if strategy.extended.should_checkpoint else 0)
