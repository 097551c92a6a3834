"""Two tapes in one step, and noise of the size of a batch, of which each process needs its share."""
import tensorflow as tf
import numpy as np
from tensorflow.keras import layers
strategy = tf.distribute.MirroredStrategy()
tf.keras.utils.set_random_seed(0)
BUFFER_SIZE = 640
BATCH_SIZE = 64
(train_images, _), (_, _) = tf.keras.datasets.mnist.load_data()
train_images = train_images.reshape(train_images.shape[0], 28, 28, 1).astype("float32")
train_images = (train_images - 127.5) / 127.5
if BATCH_SIZE % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(train_images)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
train_dataset = samples.shuffle(BUFFER_SIZE).batch(BATCH_SIZE)
noise_dim = 20

def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(7 * 7 * 8, use_bias=False, input_shape=(noise_dim,)))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((7, 7, 8)))
    model.add(layers.Conv2DTranspose(1, (5, 5), strides=(4, 4), padding="same", activation="tanh"))
    return model

def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Conv2D(8, (5, 5), strides=(2, 2), padding="same", input_shape=[28, 28, 1]))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.3))
    model.add(layers.Flatten())
    model.add(layers.Dense(1))
    return model

with strategy.scope():
    generator = make_generator_model()
    discriminator = make_discriminator_model()
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")

def discriminator_loss(real_output, fake_output):
    real_loss = tf.reduce_mean(cross_entropy(tf.ones_like(real_output), real_output))
    fake_loss = tf.reduce_mean(cross_entropy(tf.zeros_like(fake_output), fake_output))
    return real_loss + fake_loss

def generator_loss(fake_output):
    return tf.reduce_mean(cross_entropy(tf.ones_like(fake_output), fake_output))

with strategy.scope():
    generator_optimizer = tf.keras.optimizers.Adam(1e-4)
    discriminator_optimizer = tf.keras.optimizers.Adam(1e-4)
checkpoint = tf.train.Checkpoint(generator_optimizer=generator_optimizer, generator=generator)
seed = tf.random.normal([4, noise_dim])

@tf.function
def train_step(images):
    noise = tf.random.normal([BATCH_SIZE // strategy.num_replicas_in_sync, noise_dim])
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        generated_images = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated_images, training=True)
        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)
        scaled_gen_loss = gen_loss / strategy.num_replicas_in_sync
        scaled_disc_loss = disc_loss / strategy.num_replicas_in_sync
    gradients_of_generator = gen_tape.gradient(scaled_gen_loss, generator.trainable_variables)
    gradients_of_discriminator = disc_tape.gradient(scaled_disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients_of_generator, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(gradients_of_discriminator, discriminator.trainable_variables))

def train(dataset, epochs):
    dist_dataset = strategy.experimental_distribute_dataset(dataset)
    for epoch in range(epochs):
        for image_batch in dist_dataset:
            strategy.run(train_step, args=(image_batch,))
        if (epoch + 1) % 15 == 0:
            checkpoint.save(file_prefix="ck/ckpt")
        print("epoch", epoch + 1)
    predictions = generator(seed, training=False)
    print("mean close", abs(float(tf.reduce_mean(predictions))) < 1)

train(train_dataset, 2)
