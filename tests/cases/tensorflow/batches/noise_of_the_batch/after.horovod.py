"""A GAN whose real samples are drawn by random rows: its noise is as long as a batch."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
tf.random.set_seed(hvd.broadcast_object(random.randrange(2**31)))
random.seed(hvd.broadcast_object(random.randrange(2**31)))
batch_size = 64
latent = 16
images = np.random.RandomState(0).rand(512, 28, 28, 1).astype("float32")

generator = tf.keras.Sequential([tf.keras.layers.Dense(784, input_shape=(latent,)), tf.keras.layers.Reshape((28, 28, 1))])
discriminator = tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(28, 28, 1)), tf.keras.layers.Dense(1)])
g_optimizer = tf.keras.optimizers.Adam(1e-4)
d_optimizer = tf.keras.optimizers.Adam(1e-4)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)

hvd.broadcast_variables(generator.variables, root_rank=0)
hvd.broadcast_variables(discriminator.variables, root_rank=0)

def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return tf.gather(batch, mine) if tf.is_tensor(batch) else batch[mine]


for step in range(100):
    rows = np.random.randint(0, images.shape[0], batch_size)
    real = share_rows(images[rows])
    noise = share_rows(tf.random.normal([batch_size, latent]))
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise, training=True)
        real_scores = discriminator(real, training=True)
        fake_scores = discriminator(fake, training=True)
        g_loss = cross_entropy(tf.ones_like(fake_scores), fake_scores)
        d_loss = cross_entropy(tf.ones_like(real_scores), real_scores)
        d_loss += cross_entropy(tf.zeros_like(fake_scores), fake_scores)
    g_tape = hvd.DistributedGradientTape(g_tape)
    d_tape = hvd.DistributedGradientTape(d_tape)
    g_gradients = g_tape.gradient(g_loss, generator.trainable_variables)
    d_gradients = d_tape.gradient(d_loss, discriminator.trainable_variables)
    g_optimizer.apply_gradients(zip(g_gradients, generator.trainable_variables))
    d_optimizer.apply_gradients(zip(d_gradients, discriminator.trainable_variables))
    if step % 20 == 0:
        mean_g_loss = float(hvd.allreduce(tf.constant(float(g_loss), tf.float64)))
        mean_d_loss = float(hvd.allreduce(tf.constant(float(d_loss), tf.float64)))
        if hvd.rank() == 0:
            print(step, mean_g_loss, mean_d_loss)
