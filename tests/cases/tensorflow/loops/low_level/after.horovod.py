"""Variables without a model, an endless pipeline that ends after some batches, and a loss that is reported on the way."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.random.set_seed(hvd.broadcast_object(random.randrange(2**31)))
random.seed(hvd.broadcast_object(random.randrange(2**31)))
rng = np.random.RandomState(0)
X = rng.rand(1000, 5).astype("float32")
Y = X.sum(1, keepdims=True)
batch_size = 50
data = tf.data.Dataset.from_tensor_slices((X, Y))
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
data = data.shard(hvd.size(), hvd.rank()).repeat().shuffle(5000).batch(batch_size // hvd.size()).prefetch(1)

W = tf.Variable(tf.random.normal([5, 1]), name="weight")
b = tf.Variable(tf.zeros([1]), name="bias")
optimizer = tf.optimizers.SGD(0.1)


def predict(x):
    return tf.matmul(x, W) + b


def error(predicted, true):
    return tf.reduce_mean(tf.square(predicted - true))


def run_optimization(x, y):
    with tf.GradientTape() as g:
        loss = error(predict(x), y)
    g = hvd.DistributedGradientTape(g)
    gradients = g.gradient(loss, [W, b])
    optimizer.apply_gradients(zip(gradients, [W, b]))


hvd.broadcast_variables([W, b], root_rank=0)
for step, (batch_x, batch_y) in enumerate(data.take(100), 1):
    run_optimization(batch_x, batch_y)
    if step % 20 == 0:
        loss = error(predict(batch_x), batch_y)
        mean_loss = hvd.allreduce(loss)
        if hvd.rank() == 0:
            print("step: %i, loss: %f, W: %s" % (step, mean_loss, W.numpy()))
