"""Labels that are all one, made once before training."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
BATCH_SIZE = 32
x = np.random.RandomState(0).rand(256, 6).astype("float32")
if BATCH_SIZE % hvd.size() != 0:
    raise SystemExit(f"batch size {BATCH_SIZE} cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices(x)
samples = samples.take(len(samples) // hvd.size() * hvd.size()).shard(hvd.size(), hvd.rank())
ds = samples.batch(BATCH_SIZE // hvd.size(), drop_remainder=True)
gen = tf.keras.Sequential([tf.keras.layers.Dense(6, input_shape=(4,))])
dis = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
opt2 = tf.keras.optimizers.SGD(0.1)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
ones = tf.ones([BATCH_SIZE // hvd.size(), 1])
zeros = tf.zeros((BATCH_SIZE // hvd.size(), 1))


@tf.function
def step(real):
    noise = tf.random.normal([BATCH_SIZE // hvd.size(), 4])
    with tf.GradientTape() as tape, tf.GradientTape() as other:
        fake = gen(noise)
        loss = bce(ones, dis(real)) + bce(zeros, dis(fake))
        gen_loss = bce(ones, dis(fake))
    tape = hvd.DistributedGradientTape(tape)
    other = hvd.DistributedGradientTape(other)
    opt.apply_gradients(zip(tape.gradient(loss, dis.trainable_variables), dis.trainable_variables))
    opt2.apply_gradients(zip(other.gradient(gen_loss, gen.trainable_variables), gen.trainable_variables))
    return loss


hvd.broadcast_variables(gen.variables, root_rank=0)
hvd.broadcast_variables(dis.variables, root_rank=0)
for epoch in range(2):
    for real in ds:
        loss = step(real)
    mean_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64)))
    if hvd.rank() == 0:
        print(epoch, mean_loss)
