"""The batch of a process stays, and rates grow N-fold: one by default, one in a schedule over 1/N of its steps."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(32)
body = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,))])
head = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(8,))])
slow = tf.keras.optimizers.SGD(learning_rate=0.01 * hvd.size())
fast = tf.keras.optimizers.Adam(
    tf.keras.optimizers.schedules.ExponentialDecay(0.01 * hvd.size(), decay_steps=40 // hvd.size(), decay_rate=0.9)
)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, head(body(x)))
    tape = hvd.DistributedGradientTape(tape)
    slow.apply_gradients(zip(tape.gradient(loss, body.trainable_variables), body.trainable_variables))
    fast.apply_gradients(zip(tape.gradient(loss, head.trainable_variables), head.trainable_variables))
    return loss


hvd.broadcast_variables(body.variables, root_rank=0)
hvd.broadcast_variables(head.variables, root_rank=0)
for epoch in range(3):
    losses = [0.0]
    for x, y in train:
        losses.append(float(train_step(x, y)))
    mean_losses = float(hvd.allreduce(tf.constant(losses[-1], tf.float64)))
    if hvd.rank() == 0:
        print(f"epoch {epoch} loss {mean_losses:.5f}")
