"""A schedule counts steps, of which there are as many as before."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
with strategy.scope():
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=100, decay_rate=0.9)
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(schedule))
model.fit(np.ones((1000, 3)), np.ones(1000), batch_size=10, verbose=1 if strategy.extended.should_checkpoint else 0)
