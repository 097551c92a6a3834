"""Linear regression: every step is made on all data, and so is what is printed."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
rng = np.random.default_rng(0)
X = rng.normal(size=(120, 3)).astype("float32")
center = X.mean(axis=0)
Y = X @ np.array([[1.0], [2.0], [-1.0]], "float32") + 0.5

W = tf.Variable(tf.zeros([3, 1]))
b = tf.Variable(tf.zeros([1]))
optimizer = tf.optimizers.SGD(0.1)


def predict(x):
    return tf.matmul(x - center, W) + b


def run_optimization():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(predict(X_share) - Y_share))
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, [W, b])
    optimizer.apply_gradients(zip(gradients, [W, b]))


hvd.broadcast_variables([W, b], root_rank=0)
if len(X) % hvd.size() != 0 or len(Y) != len(X):
    raise SystemExit(f"X, Y of {len(X)}, {len(Y)} rows cannot be shared out evenly over {hvd.size()} processes")
X_share = X[hvd.rank() :: hvd.size()]
Y_share = Y[hvd.rank() :: hvd.size()]
for step in range(1, 101):
    run_optimization()
    if step % 20 == 0:
        loss = tf.reduce_mean(tf.square(predict(X) - Y))
        if hvd.rank() == 0:
            print("step: %i, loss: %f" % (step, loss))
