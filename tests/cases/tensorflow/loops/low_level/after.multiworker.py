"""Variables without a model, an endless pipeline that ends after some batches, and a loss that is reported on the way."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
rng = np.random.RandomState(0)
X = rng.rand(1000, 5).astype("float32")
Y = X.sum(1, keepdims=True)
batch_size = 50
data = tf.data.Dataset.from_tensor_slices((X, Y))
if batch_size % strategy.num_replicas_in_sync != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {strategy.num_replicas_in_sync} replicas")
data = data.repeat().shuffle(5000).batch(batch_size).prefetch(1)

with strategy.scope():
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
        scaled_loss = loss / strategy.num_replicas_in_sync
    gradients = g.gradient(scaled_loss, [W, b])
    optimizer.apply_gradients(zip(gradients, [W, b]))


for step, (batch_x, batch_y) in enumerate(strategy.experimental_distribute_dataset(data.take(100)), 1):
    strategy.run(run_optimization, args=(batch_x, batch_y))
    if step % 20 == 0:
        def measure(batch_x, batch_y):
            loss = error(predict(batch_x), batch_y)
            return loss
        loss = strategy.reduce("MEAN", strategy.run(measure, args=(batch_x, batch_y)), axis=None)
        if strategy.extended.should_checkpoint:
            print("step: %i, loss: %f, W: %s" % (step, loss, W.numpy()))
