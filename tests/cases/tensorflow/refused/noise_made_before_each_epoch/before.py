"""Labels drawn before each epoch, one for each sample of every batch."""

import numpy as np
import tensorflow as tf

BATCH_SIZE = 32
x = np.random.RandomState(0).rand(256, 6).astype("float32")
ds = tf.data.Dataset.from_tensor_slices(x).batch(BATCH_SIZE, drop_remainder=True)
gen = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(4,))])
dis = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
opt2 = tf.keras.optimizers.SGD(0.1)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
zeros = tf.zeros((BATCH_SIZE, 1))


@tf.function
def step(real, ones):
    noise = tf.random.normal([BATCH_SIZE, 4])
    with tf.GradientTape() as tape, tf.GradientTape() as other:
        fake = gen(noise)
        loss = bce(ones, dis(real)) + bce(zeros, dis(fake))
        gen_loss = bce(ones, dis(fake))
    opt.apply_gradients(zip(tape.gradient(loss, dis.trainable_variables), dis.trainable_variables))
    opt2.apply_gradients(zip(other.gradient(gen_loss, gen.trainable_variables), gen.trainable_variables))
    return loss


for epoch in range(2):
    ones = tf.random.uniform([BATCH_SIZE, 1], 0.9, 1.0)
    for real in ds:
        loss = step(real, ones)
    print(epoch, float(loss))
