"""A sum over the samples, by the batch size of the script, is added to a mean: a variational autoencoder."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(0)
BATCH = 32
x = np.random.RandomState(0).rand(256, 12).astype("float32")
if BATCH % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {BATCH} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % strategy.num_replicas_in_sync))
ds = samples.batch(BATCH)
with strategy.scope():
    encoder = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(12,))])
    decoder = tf.keras.Sequential([tf.keras.layers.Dense(12, input_shape=(4,))])
    variables = encoder.trainable_variables + decoder.trainable_variables
    opt = tf.keras.optimizers.Adam(0.01)

dist_ds = strategy.experimental_distribute_dataset(ds)
for epoch in range(3):
    for step, a in enumerate(dist_ds):
        def train_step(a):
            with tf.GradientTape() as tape:
                mean, log_var = tf.split(encoder(a), 2, axis=1)
                out = decoder(mean + tf.exp(0.5 * log_var) * 0.1)
                errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=out)
                rec = tf.reduce_sum(errors) / (BATCH // strategy.num_replicas_in_sync)
                kl = -0.5 * tf.reduce_sum(1.0 + log_var - tf.square(mean) - tf.exp(log_var), axis=-1)
                loss = rec + tf.reduce_mean(kl)
                scaled_loss = loss / strategy.num_replicas_in_sync
            gradients = tape.gradient(scaled_loss, variables)
            opt.apply_gradients(zip(gradients, variables))
            return rec, loss
        rec, loss = strategy.run(train_step, args=(a,))
        rec = strategy.reduce("MEAN", rec, axis=None)
        loss = strategy.reduce("MEAN", loss, axis=None)
        if step % 4 == 0:
            if strategy.extended.should_checkpoint:
                print(epoch, step, float(rec), float(loss))
