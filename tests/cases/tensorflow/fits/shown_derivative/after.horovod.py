"""A derivative that is only shown is left alone, and so is a variable that is set; what trains is converted."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import horovod.tensorflow.keras as hvd_keras

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
a = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    with tf.GradientTape() as inner:
        b = a**3 + 2 * a
    slope = inner.gradient(b, a)
curvature = tape.gradient(slope, a)
if hvd.rank() == 0:
    print(slope.numpy(), curvature.numpy())
a.assign(4.0)

x = np.random.RandomState(0).rand(256, 4).astype("float32")
y = x.sum(axis=1, keepdims=True)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((x, y))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
data = samples.batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(4,))])
optimizer = tf.keras.optimizers.SGD(0.05)
hvd.broadcast_variables(model.variables, root_rank=0)
for features, targets in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    tape = hvd.DistributedGradientTape(tape)
    slope = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(slope, model.trainable_variables))
model.compile(hvd_keras.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd_keras.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd_keras.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=64 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
