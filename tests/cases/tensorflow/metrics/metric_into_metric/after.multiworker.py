"""A metric that sees a part is added to another one, which is shown."""

import json

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.load("x.npy")
y = np.load("y.npy")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples_ = tf.data.Dataset.from_tensor_slices((x, y))
samples_ = samples_.concatenate(samples_.take(-len(samples_) % strategy.num_replicas_in_sync))
data = samples_.batch(32)
held_out = tf.data.Dataset.from_tensor_slices((x[:320], y[:320])).batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
    optimizer = tf.keras.optimizers.Adam()
    measure = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")
    average = tf.keras.metrics.Mean()
history = {"loss": [], "epoch": []}

def step(samples, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(measure(labels, model(samples, training=True)))
        scaled_loss = loss / strategy.num_replicas_in_sync
    gradients = tape.gradient(scaled_loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    average.update_state(loss)
    return loss

dist_data = strategy.experimental_distribute_dataset(data)
for epoch in range(3):
    for number, (samples, labels) in enumerate(dist_data):
        strategy.run(step, args=(samples, labels))
    Mean_result = tf.keras.metrics.Mean()
    if strategy.extended.should_checkpoint:
        print(epoch, Mean_result.merge_state([average]))
