"""A batch is turned, and its samples are added up along the last dimension."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy").astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, x.sum(1, keepdims=True)))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
data = samples.batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)
dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(2):
    for inputs, targets in dist_data:
        def train_step(inputs, targets):
            with tf.GradientTape() as tape:
                errors = tf.transpose(tf.square(model(inputs) - targets))
                loss = tf.reduce_mean(tf.reduce_sum(errors, axis=-1))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        strategy.run(train_step, args=(inputs, targets))
