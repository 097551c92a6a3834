"""Clipped gradients in a step that stands in the loop; a single gradient that is applied at once."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train = samples.batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
weight = tf.Variable(tf.ones([6, 1]))
optimizer = tf.keras.optimizers.Adam(0.05)
other = tf.keras.optimizers.SGD(0.02)

hvd.broadcast_variables(model.variables, root_rank=0)
for a, b in train:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(a) - b))
    tape = hvd.DistributedGradientTape(tape)
    grads = tape.gradient(loss, model.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 0.5)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    with tf.GradientTape() as tape:
        linear = tf.reduce_sum(tf.square(a @ weight - b)) / 32
    other.apply_gradients([(hvd.allreduce(tape.gradient(linear, weight), op=hvd.Sum), weight)])
mean_loss = float(hvd.allreduce(tf.constant(float(loss), tf.float64)))
total_linear = float(hvd.allreduce(tf.constant(float(linear), tf.float64), op=hvd.Sum))
if hvd.rank() == 0:
    print(f"{mean_loss:.4f} {total_linear:.4f}")
