"""Gradients are clipped by the norm of all of them: the replicas have to add theirs up before."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(32, drop_remainder=True)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
    optimizer = tf.keras.optimizers.SGD(0.5)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(loss_fn(y, model(x, training=True)))
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients = tf.distribute.get_replica_context().all_reduce("mean", gradients)
    gradients, _ = tf.clip_by_global_norm(gradients, 0.1)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables), experimental_aggregate_gradients=False)
    return loss


dist_train = strategy.experimental_distribute_dataset(train)
for epoch in range(3):
    losses = []
    for x, y in dist_train:
        losses.append(float(strategy.reduce("MEAN", strategy.run(train_step, args=(x, y)), axis=None)))
    if strategy.extended.should_checkpoint:
        print(f"epoch {epoch} loss {np.mean(losses):.5f}")
