"""A schedule counts steps, of which there are as many as before."""

import numpy as np
import tensorflow as tf

schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, decay_steps=100, decay_rate=0.9)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(schedule))
model.fit(np.ones((1000, 3)), np.ones(1000), batch_size=10)
