"""An activation of the script's own, for each number by itself."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


def swish(t):
    return t * tf.sigmoid(t)


strategy = tf.distribute.MirroredStrategy()
x, y = np.zeros((64, 8)), np.zeros((64, 1))
if 16 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 16 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
data = samples.batch(16)
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(4, activation=swish), keras.layers.Dense(1)])
    optimizer = keras.optimizers.SGD(0.1)
dist_data = strategy.experimental_distribute_dataset(data)
for features, targets in dist_data:
    def train_step(features, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((targets - model(features, training=True)) ** 2)
            scaled_loss = loss / strategy.num_replicas_in_sync
        gradients = tape.gradient(scaled_loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    strategy.run(train_step, args=(features, targets))
