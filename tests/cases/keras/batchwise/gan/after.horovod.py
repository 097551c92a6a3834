"""A generator and a discriminator trained in turn; what comes back is shown and kept."""

import numpy as np
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.optimizers import Adam
import horovod.tensorflow.keras as hvd
import random
import tensorflow as tf


def make_generator():
    return Sequential([Dense(32, activation="relu", input_dim=8), Dense(784, activation="tanh")])


def make_discriminator():
    return Sequential([Dense(32, activation="relu", input_dim=784), Dense(1, activation="sigmoid")])


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
random.seed(int(hvd.broadcast(random.randrange(2**31), 0)))
images = np.load("images.npy")
discriminator = make_discriminator()
discriminator.compile(
    loss="binary_crossentropy", optimizer=hvd.DistributedOptimizer(Adam(0.0002, 0.5)), metrics=["accuracy"]
)
type(discriminator.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
generator = make_generator()
discriminator.trainable = False
noise = Input(shape=(8,))
combined = Model(noise, discriminator(generator(noise)))
combined.compile(loss="binary_crossentropy", optimizer=hvd.DistributedOptimizer(Adam(0.0002, 0.5)))
type(combined.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod

valid = np.ones((64, 1))
fake = np.zeros((64, 1))
history = []


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


for step in range(30000):
    rows = np.random.randint(0, images.shape[0], 64)
    latent = np.random.normal(0, 1, (64, 8))
    made = generator.predict(latent, verbose="auto" if hvd.rank() == 0 else 0)
    d_real = hvd.allreduce(discriminator.train_on_batch(share_rows(images[rows]), share_rows(valid))).numpy().tolist()
    d_fake = hvd.allreduce(discriminator.train_on_batch(share_rows(made), share_rows(fake))).numpy().tolist()
    d_loss = 0.5 * np.add(d_real, d_fake)
    g_loss = hvd.allreduce(combined.train_on_batch(share_rows(latent), share_rows(valid))).numpy().tolist()
    history.append(g_loss)
    if step % 1000 == 0:
        if hvd.rank() == 0:
            print(f"{step} [D loss: {d_loss[0]}] [G loss: {g_loss}]")
            generator.save(f"generator_{step}.h5")
