"""A loss is printed before training, when no weights are sent yet: all processes make the same model."""

import numpy as np
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
    optimizer = tf.keras.optimizers.SGD()
total = 0.0
for batch in train:
    total += float(tf.reduce_mean(tf.square(model(batch) - batch)))
if strategy.extended.should_checkpoint:
    print("before", total)
dist_train = strategy.experimental_distribute_dataset(train)
for epoch in range(2):
    for batch in dist_train:
        def train_step(batch):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(batch) - batch))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(batch,))
