"""TensorFlow 1 within TensorFlow 2, with arrays of the script's own, and everything in functions."""

import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
import horovod.tensorflow as hvd


def network(images):
    hidden = tf.compat.v1.layers.dense(images, 64, activation=tf.nn.relu)
    return tf.compat.v1.layers.dense(hidden, 10)


def share_rows(batch):
    mine = np.arange(hvd.rank(), hvd.rank() + len(batch), hvd.size()) % len(batch)
    return np.asarray(batch)[mine]


def main():
    tf.compat.v1.disable_v2_behavior()
    digits = load_digits()
    images, labels = digits.data / 16.0, digits.target
    x = tf.compat.v1.placeholder(tf.float32, shape=(None, 64))
    y = tf.compat.v1.placeholder(tf.int64, shape=(None,))
    logits = network(x)
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(y, logits)
    mean_loss = hvd.allreduce(loss)
    optimizer = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9)
    optimizer = hvd.DistributedOptimizer(optimizer)
    train = optimizer.minimize(loss)
    right = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
    total_right = hvd.allreduce(right, op=hvd.Sum)

    session = tf.compat.v1.Session(
        config=tf.compat.v1.ConfigProto(
            allow_soft_placement=True, gpu_options=tf.compat.v1.GPUOptions(visible_device_list=str(hvd.local_rank()))
        )
    )
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for epoch in range(5):
        order = np.random.permutation(len(images))
        total = 0.0
        for start in range(0, len(images), 32):
            rows = order[start : start + 32]
            value, hits, _ = session.run(
                [mean_loss, total_right, train], {x: share_rows(images[rows]), y: share_rows(labels[rows])}
            )
            total += value * len(rows)
        if hvd.rank() == 0:
            print(f"epoch {epoch}: loss {total / len(images):.4f}, {int(hits)} right in the last batch")
    session.close()


if __name__ == "__main__":
    hvd.init()
    config_ = tf.compat.v1.ConfigProto()
    config_.gpu_options.allow_growth = True
    config_.gpu_options.visible_device_list = str(hvd.local_rank())
    with tf.compat.v1.Graph().as_default(), tf.compat.v1.Session(config=config_):
        np.random.seed(hvd.broadcast_object(np.random.randint(2**31)))
    main()
