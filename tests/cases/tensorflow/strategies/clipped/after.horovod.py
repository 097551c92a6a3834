"""Gradients are clipped by the norm of all of them: the replicas have to add theirs up before."""

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
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
train = samples.batch(32 // hvd.size(), drop_remainder=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(6,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD(0.5)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 0.1)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


hvd.broadcast_variables(model.variables, root_rank=0)
for epoch in range(3):
    losses = []
    for x, y in train:
        losses.append(float(train_step(x, y)))
    mean_losses = float(hvd.allreduce(tf.constant(np.mean(losses), tf.float64)))
    if hvd.rank() == 0:
        print(f"epoch {epoch} loss {mean_losses:.5f}")
