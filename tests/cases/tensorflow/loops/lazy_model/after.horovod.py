"""A model that makes its variables in the first step: rank 0's go to all processes after it, and Keras' metrics are
averaged before they are read."""

import tensorflow as tf
from sklearn.datasets import load_digits
import horovod.tensorflow as hvd
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
random.seed(hvd.broadcast_object(random.randrange(2**31)))
digits = load_digits()
images, labels = digits.images[..., None].astype("float32") / 16, digits.target
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = tf.data.Dataset.from_tensor_slices((images[:1500], labels[:1500]))
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
train_ds = samples.shuffle(1500).batch(32 // hvd.size())
test_ds = tf.data.Dataset.from_tensor_slices((images[1500:], labels[1500:])).batch(32)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(8, 3, activation="relu")
        self.flatten = tf.keras.layers.Flatten()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(self.flatten(self.conv(x)))


net = Net()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
adam = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean()
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = net(x, training=True)
        loss = loss_object(y, predictions)
    tape = hvd.DistributedGradientTape(tape)
    gradients = tape.gradient(loss, net.trainable_variables)
    adam.apply_gradients(zip(gradients, net.trainable_variables))
    train_loss(loss)
    train_accuracy(y, predictions)


@tf.function
def test_step(x, y):
    test_accuracy(y, net(x, training=False))


first_step = True
for epoch in range(5):
    train_loss.reset_states()
    train_accuracy.reset_states()
    test_accuracy.reset_states()
    for x, y in train_ds:
        train_step(x, y)
        if first_step:
            hvd.broadcast_variables(net.variables, root_rank=0)
            hvd.broadcast_variables(adam.variables(), root_rank=0)
            first_step = False
    for x, y in test_ds:
        test_step(x, y)
    for variable in [*train_loss.variables, *train_accuracy.variables]:
        variable.assign(hvd.allreduce(variable))
    if hvd.rank() == 0:
        print(epoch, train_loss.result(), train_accuracy.result(), test_accuracy.result())
