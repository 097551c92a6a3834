"""Noise of as many rows as the batch has, in shapes that are lists."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy").astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
data = samples.batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, input_shape=(6,))])
    optimizer = tf.keras.optimizers.SGD(0.1)
dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(2):
    for batch in dist_data:
        def train_step(batch):
            noise = tf.random.normal([tf.shape(batch)[0], 2])
            shift = tf.random.uniform(shape=[batch.shape[0], 1])
            with tf.GradientTape() as tape:
                made = model(tf.concat([batch + shift, noise], axis=1))
                loss = tf.reduce_mean(tf.square(made - batch))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(batch,))
