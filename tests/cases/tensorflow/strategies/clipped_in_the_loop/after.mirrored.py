"""Clipped gradients in a step that stands in the loop; a single gradient that is applied at once."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train = samples.batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
    weight = tf.Variable(tf.ones([6, 1]))
    optimizer = tf.keras.optimizers.Adam(0.05)
    other = tf.keras.optimizers.SGD(0.02)

dist_train = strategy.experimental_distribute_dataset(train)
for a, b in dist_train:
    def train_step(a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(a) - b))
        grads = tf.distribute.get_replica_context().all_reduce("mean", tape.gradient(loss, model.trainable_variables))
        grads, _ = tf.clip_by_global_norm(grads, 0.5)
        optimizer.apply_gradients(zip(grads, model.trainable_variables), experimental_aggregate_gradients=False)
        with tf.GradientTape() as tape:
            linear = tf.reduce_sum(tf.square(a @ weight - b)) / 32
        other.apply_gradients(
            [(tf.distribute.get_replica_context().all_reduce("sum", tape.gradient(linear, weight)), weight)],
            experimental_aggregate_gradients=False,
        )
        return loss, linear
    loss, linear = strategy.run(train_step, args=(a, b))
    loss = strategy.reduce("MEAN", loss, axis=None)
    linear = strategy.reduce("SUM", linear, axis=None)
print(f"{float(loss):.4f} {float(linear):.4f}")
