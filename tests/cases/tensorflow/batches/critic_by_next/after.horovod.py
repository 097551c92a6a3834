"""A critic that takes several steps for each step of the generator, all on batches by next()."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
batch_size, latent = 32, 8
tf.random.set_seed(3)
points = np.random.RandomState(0).normal(size=(300, 2)).astype("float32")
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(points)
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
data = samples.shuffle(300).batch(batch_size // hvd.size(), drop_remainder=True).repeat()
batches = iter(data)

generator = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(latent,))])
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, "tanh", input_shape=(2,)), tf.keras.layers.Dense(1)])
g_optimizer = tf.keras.optimizers.Adam(1e-3)
c_optimizer = tf.keras.optimizers.Adam(1e-3)


def penalty(real, fake):
    share = tf.random.uniform([real.shape[0], 1])
    between = share * real + (1.0 - share) * fake
    with tf.GradientTape() as tape:
        tape.watch(between)
        scores = critic(between)
    gradients = tape.gradient(scores, between)
    return tf.reduce_mean((tf.norm(gradients, axis=1) - 1.0) ** 2)


hvd.broadcast_variables(generator.variables, root_rank=0)
hvd.broadcast_variables(critic.variables, root_rank=0)
if hvd.rank() > 0:
    tf.random.set_seed(3 + hvd.rank())
for epoch in range(50):
    for _ in range(3):
        real = next(batches)
        noise = tf.random.normal([batch_size // hvd.size(), latent])
        with tf.GradientTape() as tape:
            fake = generator(noise)
            c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(c_loss, critic.trainable_variables)
        c_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))

    noise = tf.random.normal([batch_size // hvd.size(), latent])
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(generator(noise)))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(g_loss, generator.trainable_variables)
    g_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    if epoch % 10 == 0:
        mean_c_loss = float(hvd.allreduce(tf.constant(float(c_loss), tf.float64)))
        mean_g_loss = float(hvd.allreduce(tf.constant(float(g_loss), tf.float64)))
        if hvd.rank() == 0:
            print(epoch, "critic", mean_c_loss, "generator", mean_g_loss)
