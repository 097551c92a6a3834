"""What writes belongs to rank 0, what decides to all, behind averaged metrics."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, TensorBoard
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
x, y = np.ones((100, 3)), np.ones(100)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="sgd")
model.fit(
    x,
    y,
    batch_size=10,
    validation_data=(x, y),
    callbacks=[TensorBoard("logs"), EarlyStopping(patience=2, verbose=1 if strategy.extended.should_checkpoint else 0), ModelCheckpoint("best.h5")],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
model.load_weights("best.h5")
