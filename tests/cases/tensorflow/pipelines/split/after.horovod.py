"""Training and validation data are split from one pipeline."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(0)
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

full = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(256, reshuffle_each_iteration=False)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = full.skip(64)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train, val = samples.batch(32 // hvd.size()), full.take(64).batch(32)
hvd.broadcast_variables(model.variables, root_rank=0)
for a, b in train:
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    t = hvd.DistributedGradientTape(t)
    g = t.gradient(l, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
result = [mse(b, model(a)) for a, b in val]
if hvd.rank() == 0:
    print(np.mean(result))
