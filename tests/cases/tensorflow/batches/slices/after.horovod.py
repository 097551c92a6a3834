"""Batches cut by hand, an evaluation cut by hand, and what is left whole."""

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
data = np.random.RandomState(0)
x = data.rand(200, 6).astype("float32")
y = (x.sum(1, keepdims=True) > 3).astype("float32")
x_test, y_test = x[:50], y[:50]
batch_size = 32
inputs = tf.keras.Input((6,))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))
optimizer = tf.keras.optimizers.SGD(0.1)
mse = tf.keras.losses.MeanSquaredError()

hvd.broadcast_variables(model.variables, root_rank=0)

def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return batch[mine]


for epoch in range(2):
    order = np.random.permutation(len(x))
    x, y = x[order], y[order]
    total = 0.0
    for start in range(0, len(x), batch_size):
        stop = start + batch_size
        inputs, targets = share_rows(x[start:stop]), share_rows(y[start:stop])
        with tf.GradientTape() as tape:
            loss = mse(targets, model(inputs))
        tape = hvd.DistributedGradientTape(tape)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        total += float(loss) * len(inputs)
    total = float(hvd.allreduce(tf.constant(total, tf.float64), op=hvd.Sum))
    if hvd.rank() == 0:
        print(f"epoch {epoch} loss {total / len(x):.4f}")
    errors = [float(mse(y_test[i : i + 10], model(x_test[i : i + 10]))) for i in range(0, 50, 10)]
    if hvd.rank() == 0:
        print(f"test {np.mean(errors):.4f}")
