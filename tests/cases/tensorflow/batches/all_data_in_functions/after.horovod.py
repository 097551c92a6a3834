"""All data in each step, handed down to the function that makes it."""

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
x = tf.linspace(-2.0, 2.0, 200)
x = tf.cast(x, tf.float32)
y = x * 3.0 + 2.0


class Line(tf.Module):
    def __init__(self):
        self.w = tf.Variable(5.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


def loss(target_y, predicted_y):
    return tf.reduce_mean(tf.square(target_y - predicted_y))


def train(model, x, y, learning_rate):
    with tf.GradientTape() as t:
        current_loss = loss(y, model(x))
    t = hvd.DistributedGradientTape(t)
    dw, db = t.gradient(current_loss, [model.w, model.b])
    model.w.assign_sub(learning_rate * dw)
    model.b.assign_sub(learning_rate * db)


def training_loop(model, x, y):
    if len(x) % hvd.size() != 0 or len(y) != len(x):
        raise SystemExit(f"x, y of {len(x)}, {len(y)} rows cannot be shared out evenly over {hvd.size()} processes")
    x_share = x[hvd.rank() :: hvd.size()]
    y_share = y[hvd.rank() :: hvd.size()]
    for epoch in range(10):
        train(model, x_share, y_share, learning_rate=0.1)
        model_result = model(x)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: loss {loss(y, model_result):.4f}")


model = Line()
training_loop(model, x, y)
