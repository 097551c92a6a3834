"""A sum over the samples, by the batch size of the script, is added to a mean: a variational autoencoder."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(0)
BATCH = 32
x = np.random.RandomState(0).rand(256, 12).astype("float32")
if BATCH % hvd.size() != 0:
    raise SystemExit(f"batch size {BATCH} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
ds = samples.batch(BATCH // hvd.size())
encoder = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(12,))])
decoder = tf.keras.Sequential([tf.keras.layers.Dense(12, input_shape=(4,))])
variables = encoder.trainable_variables + decoder.trainable_variables
opt = tf.keras.optimizers.Adam(0.01)

hvd.broadcast_variables(variables, root_rank=0)
for epoch in range(3):
    for step, a in enumerate(ds):
        with tf.GradientTape() as tape:
            mean, log_var = tf.split(encoder(a), 2, axis=1)
            out = decoder(mean + tf.exp(0.5 * log_var) * 0.1)
            errors = tf.nn.sigmoid_cross_entropy_with_logits(labels=a, logits=out)
            rec = tf.reduce_sum(errors) / (BATCH // hvd.size())
            kl = -0.5 * tf.reduce_sum(1.0 + log_var - tf.square(mean) - tf.exp(log_var), axis=-1)
            loss = rec + tf.reduce_mean(kl)
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, variables)
        opt.apply_gradients(zip(gradients, variables))
        if step % 4 == 0:
            mean_rec = float(hvd.allreduce(tf.constant(float(rec), tf.float64)))
            mean_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64)))
            if hvd.rank() == 0:
                print(epoch, step, mean_rec, mean_loss)
