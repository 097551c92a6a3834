"""Data that is shuffled and then divided has one order on all processes: rank 0's seed is shared."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(1000, reshuffle_each_iteration=False)
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = data.skip(100)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.batch(32)
test = data.take(100).batch(100)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(8)])
    optimizer = tf.keras.optimizers.SGD()
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
    for batch in test:
        model_result = model(batch)
        if strategy.extended.should_checkpoint:
            print("test", float(tf.reduce_mean(tf.square(model_result - batch))))
