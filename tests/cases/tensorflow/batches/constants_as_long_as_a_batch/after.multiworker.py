"""Labels that are all one, made once before training."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
BATCH_SIZE = 32
x = np.random.RandomState(0).rand(256, 6).astype("float32")
if BATCH_SIZE % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
ds = tf.data.Dataset.from_tensor_slices(x).batch(BATCH_SIZE, drop_remainder=True)
with strategy.scope():
    gen = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(4,))])
    dis = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
    opt = tf.keras.optimizers.SGD(0.1)
    opt2 = tf.keras.optimizers.SGD(0.1)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")
ones = tf.ones([BATCH_SIZE // strategy.num_replicas_in_sync, 1])
zeros = tf.zeros((BATCH_SIZE // strategy.num_replicas_in_sync, 1))


@tf.function
def step(real):
    noise = tf.random.normal([BATCH_SIZE // strategy.num_replicas_in_sync, 4])
    with tf.GradientTape() as tape, tf.GradientTape() as other:
        fake = gen(noise)
        loss = tf.reduce_mean(bce(ones, dis(real))) + tf.reduce_mean(bce(zeros, dis(fake)))
        gen_loss = tf.reduce_mean(bce(ones, dis(fake)))
        scaled_loss = loss / strategy.num_replicas_in_sync
        scaled_gen_loss = gen_loss / strategy.num_replicas_in_sync
    opt.apply_gradients(zip(tape.gradient(scaled_loss, dis.trainable_variables), dis.trainable_variables))
    opt2.apply_gradients(zip(other.gradient(scaled_gen_loss, gen.trainable_variables), gen.trainable_variables))
    return loss


dist_ds = strategy.experimental_distribute_dataset(ds)
for epoch in range(2):
    for real in dist_ds:
        loss = strategy.reduce("MEAN", strategy.run(step, args=(real,)), axis=None)
    if strategy.extended.should_checkpoint:
        print(epoch, float(loss))
