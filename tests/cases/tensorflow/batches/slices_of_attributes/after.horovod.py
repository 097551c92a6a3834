"""A trainer that has its data in attributes."""

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
model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(6,))])
opt = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()
def step(a, b):
    with tf.GradientTape() as t:
        l = mse(b, model(a))
    t = hvd.DistributedGradientTape(t)
    opt.apply_gradients(zip(t.gradient(l, model.trainable_variables), model.trainable_variables))
    return l


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[mine]


class Trainer:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def fit(self, epochs):
        hvd.broadcast_variables(model.variables, root_rank=0)
        for e in range(epochs):
            for i in range(0, len(self.x), 32):
                l = step(share_rows(self.x[i:i+32]), share_rows(self.y[i:i+32]))
            mean_l = float(hvd.allreduce(tf.constant(float(l), tf.float64)))
            if hvd.rank() == 0:
                print(e, mean_l)
Trainer(x, y).fit(2)
