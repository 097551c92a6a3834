"""Batches by random rows and by a generator of the script, noise as long as a batch, an evaluation cut by hand."""

import random

import numpy as np
import tensorflow as tf

random.seed(1)
np.random.seed(1)
tf.random.set_seed(1)
features = np.random.normal(size=(210, 4)).astype("float32")
labels = (features.sum(1) > 0).astype("int32")
batch_size = 20


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, "tanh")
        self.scores = tf.keras.layers.Dense(2)

    def call(self, inputs):
        return self.scores(self.hidden(inputs))


class Data:
    def __init__(self, inputs, targets):
        self.inputs, self.targets = tf.constant(inputs), targets

    def draw(self, size):
        rows = np.random.randint(0, len(self.targets), size)
        return tf.gather(self.inputs, rows), self.targets[rows]


def in_turn(inputs, targets, size):
    order = np.random.permutation(len(inputs))
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        yield inputs[rows], targets[rows]


def train_step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(targets, model(inputs)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def test(inputs, targets):
    right = 0
    for i in range(0, len(inputs), 30):
        right += int(np.sum(np.argmax(model(inputs[i : i + 30]), axis=1) == targets[i : i + 30]))
    return right / len(inputs)


model = Net()
optimizer = tf.keras.optimizers.Adam(0.01)
data = Data(features, labels)
for step in range(30):
    inputs, targets = data.draw(batch_size)
    noise = tf.random.normal([batch_size, 4], stddev=0.1)
    loss = train_step(inputs + noise, targets)
    if step % 10 == 0:
        print(f"step {step} loss {float(loss):.6f}")
for epoch in range(2):
    total = 0.0
    for inputs, targets in in_turn(features, labels, batch_size):
        total += float(train_step(inputs, targets)) * len(targets)
    print(f"epoch {epoch} loss {total / len(features):.6f} accuracy {test(features, labels):.4f}")
