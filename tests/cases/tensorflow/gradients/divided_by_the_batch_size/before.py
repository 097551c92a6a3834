"""A sum over the samples, by the batch size of the script, is added to a mean: a variational autoencoder."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
BATCH = 32
x = np.random.RandomState(0).rand(256, 12).astype("float32")
ds = tf.data.Dataset.from_tensor_slices(x).batch(BATCH)
encoder = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(12,))])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(12, input_shape=(4,))])
variables = encoder.trainable_variables + decoder.trainable_variables
opt = tf.keras.optimizers.Adam(0.01)

for epoch in range(3):
    for step, a in enumerate(ds):
        with tf.GradientTape() as tape:
            mean, log_var = tf.split(encoder(a), 2, axis=1)
            out = decoder(mean + tf.exp(0.5 * log_var) * 0.1)
            errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=out)
            rec = tf.reduce_sum(errors) / BATCH
            kl = -0.5 * tf.reduce_sum(1.0 + log_var - tf.square(mean) - tf.exp(log_var), axis=-1)
            loss = rec + tf.reduce_mean(kl)
        gradients = tape.gradient(loss, variables)
        opt.apply_gradients(zip(gradients, variables))
        if step % 4 == 0:
            print(epoch, step, float(rec), float(loss))
