"""Targets and predictions have as many dimensions where they meet; a loss object sees to that by itself."""

import tensorflow as tf
from sklearn.datasets import load_diabetes

strategy = tf.distribute.MirroredStrategy()
x, y = load_diabetes(return_X_y=True)
x, y = x.astype("float32"), (y / 100).astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
dataset = samples.shuffle(500, seed=1).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.01)
mean_squared_error = tf.keras.losses.MeanSquaredError(reduction="none")

dist_dataset = strategy.experimental_distribute_dataset(dataset)
for epoch in range(3):
    for inputs, targets in dist_dataset:
        def train_step(inputs, targets):
            with tf.GradientTape() as tape:
                predictions = model(inputs, training=True)
                loss = tf.reduce_mean(tf.abs(targets - predictions[:, 0]) * tf.where(targets > 1.5, 3.0, 1.0))
                loss += tf.reduce_mean(tf.square(targets[:, None] - predictions))
                loss += tf.reduce_mean(mean_squared_error(targets, predictions))
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(inputs, targets))
