"""Norms of the gradients of images, put into rows: one number a sample, and less one for all."""

import tensorflow as tf
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(hvd.broadcast_object(random.randrange(2**31)))
random.seed(hvd.broadcast_object(random.randrange(2**31)))
images = tf.random.normal((256, 8, 8, 1))
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(images)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
batches = samples.batch(32 // hvd.size())
critic = tf.keras.Sequential([tf.keras.layers.Conv2D(4, 3), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
critic.build((None, 8, 8, 1))
optimizer = tf.keras.optimizers.Adam(1e-3)


def penalty(image):
    with tf.GradientTape() as tape:
        tape.watch(image)
        score = critic(image)
    slopes = tape.gradient(score, image)
    slopes = tf.reshape(slopes, [slopes.shape[0], -1])
    spread = tf.math.reduce_std(slopes, axis=1)
    return tf.reduce_mean((tf.norm(slopes, axis=1) - 1) ** 2 + 0.1 * spread)


hvd.broadcast_variables(critic.variables, root_rank=0)
for image in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(image)) + 10.0 * penalty(image)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
