"""Norms of the gradients of images, put into rows: one number a sample, and less one for all."""

import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
images = tf.random.normal((256, 8, 8, 1))
if 32 % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(images)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
batches = samples.batch(32)
with strategy.scope():
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


dist_batches = strategy.experimental_distribute_dataset(batches)
for image in dist_batches:
    def train_step(image):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(critic(image)) + 10.0 * penalty(image)
            scaled_loss = loss / strategy.num_replicas_in_sync
        gradients = tape.gradient(scaled_loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    strategy.run(train_step, args=(image,))
