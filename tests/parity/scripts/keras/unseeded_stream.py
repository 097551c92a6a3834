"""Batches taken of an endless shuffled stream, variables without a model, no seed, a checkpoint; inputs drawn at last."""

import numpy as np
import tensorflow as tf

x = np.random.RandomState(0).rand(96, 6).astype("float32")
y = (x.sum(1) > 3).astype("int64")
batches = tf.data.Dataset.from_tensor_slices((x, y)).repeat().shuffle(200).batch(16).take(30)
normal = tf.initializers.RandomNormal()
weights = {"hidden": tf.Variable(normal([6, 8])), "out": tf.Variable(normal([8, 2]))}
optimizer = tf.optimizers.SGD(0.1)


def network(inputs):
    return tf.matmul(tf.nn.relu(tf.matmul(inputs, weights["hidden"])), weights["out"])


for step, (inputs, labels) in enumerate(batches, 1):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=network(inputs))
        loss = tf.reduce_mean(losses)
    variables = list(weights.values())
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    if step % 10 == 0:
        print("step %i, loss %f" % (step, loss))
print(tf.reduce_mean(network(tf.random.normal([4, 6]))).shape)
tf.train.Checkpoint(optimizer=optimizer, **weights).save(file_prefix="saved/last")
