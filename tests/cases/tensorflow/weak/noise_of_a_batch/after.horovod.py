"""Noise of the size of a batch stays as it is: a process has as many samples as the script says."""

import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
BATCH = 32
real = tf.random.stateless_normal([256, 6], seed=[1, 2])
samples = tf.data.Dataset.from_tensor_slices(real)
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
data = samples.batch(BATCH, drop_remainder=True)
make = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(3,))])
tell = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
optimizer = tf.keras.optimizers.Adam(1e-3 * hvd.size())

hvd.broadcast_variables(tell.variables, root_rank=0)
for epoch in range(2):
    for images in data:
        noise = tf.random.normal([BATCH, 3])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tell(make(noise))) - tf.reduce_mean(tell(images))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, tell.trainable_variables)
        optimizer.apply_gradients(zip(gradients, tell.trainable_variables))
    if hvd.rank() == 0:
        print("epoch", epoch)
