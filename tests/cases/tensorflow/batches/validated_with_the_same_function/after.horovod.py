"""One function draws batches to train on and, now and then, others to validate on: these stay whole."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
x = np.random.RandomState(0).rand(256, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
def step(a, b):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    t = hvd.DistributedGradientTape(t)
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
    return l
def get_batch(x, y, n):
    i = np.random.randint(0, len(x), n)
    return x[i], y[i]
hvd.broadcast_variables(model.variables, root_rank=0)


def share_rows(batch):
    rows = len(tf.nest.flatten(batch)[0])
    mine = np.arange(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: part[mine], batch)


for s in range(10):
    a, b = share_rows(get_batch(x, y, 32))
    l = step(a, b)
    if s % 5 == 0:
        va, vb = get_batch(x[:50], y[:50], 20)
        mean_l = float(hvd.allreduce(tf.constant(float(l), tf.float64)))
        model_result = model(va)
        if hvd.rank() == 0:
            print(s, mean_l, float(mse(vb, model_result)))
