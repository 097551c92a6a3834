"""A list of paths becomes a sorted one."""

import pathlib

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
tf.random.set_seed(1)
files = list(pathlib.Path("data").glob("*.npy"))
images = np.stack([np.load(file) for file in files])
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
data = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32, drop_remainder=True)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
    optimizer = tf.keras.optimizers.SGD()
dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(2):
    for batch in dist_data:
        def train_step(batch):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(batch) - batch))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(batch,))
