"""A generator and a discriminator trained in turn; what comes back is shown and kept."""

import numpy as np
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model, Sequential
from tensorflow.keras.optimizers import Adam


def make_generator():
    return Sequential([Dense(32, activation="relu", input_dim=8), Dense(784, activation="tanh")])


def make_discriminator():
    return Sequential([Dense(32, activation="relu", input_dim=784), Dense(1, activation="sigmoid")])


images = np.load("images.npy")
discriminator = make_discriminator()
discriminator.compile(loss="binary_crossentropy", optimizer=Adam(0.0002, 0.5), metrics=["accuracy"])
generator = make_generator()
discriminator.trainable = False
noise = Input(shape=(8,))
combined = Model(noise, discriminator(generator(noise)))
combined.compile(loss="binary_crossentropy", optimizer=Adam(0.0002, 0.5))

valid = np.ones((64, 1))
fake = np.zeros((64, 1))
history = []
for step in range(30000):
    rows = np.random.randint(0, images.shape[0], 64)
    latent = np.random.normal(0, 1, (64, 8))
    made = generator.predict(latent)
    d_real = discriminator.train_on_batch(images[rows], valid)
    d_fake = discriminator.train_on_batch(made, fake)
    d_loss = 0.5 * np.add(d_real, d_fake)
    g_loss = combined.train_on_batch(latent, valid)
    history.append(g_loss)
    if step % 1000 == 0:
        print(f"{step} [D loss: {d_loss[0]}] [G loss: {g_loss}]")
        generator.save(f"generator_{step}.h5")
