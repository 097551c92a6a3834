"""A shuffled stream, and the number of a dropout that is fed."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow as hvd

tf.compat.v1.disable_eager_execution()
hvd.init()
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
x_train = np.load("x.npy")
y_train = np.load("y.npy").reshape(-1, 1)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shard(hvd.size(), hvd.rank()).shuffle(1000).repeat().batch(32 // hvd.size()).prefetch(
    1
)
iterator = tf.compat.v1.data.make_one_shot_iterator(dataset)
x, y = iterator.get_next()
keep = tf.compat.v1.placeholder(tf.float32, [])
w = tf.compat.v1.get_variable("w", [8, 1])
loss = tf.reduce_sum(tf.square(tf.matmul(tf.nn.dropout(x, keep), w) - y))
total_loss = hvd.allreduce(loss, op=hvd.Sum)
train = hvd.DistributedOptimizer(tf.compat.v1.train.GradientDescentOptimizer(0.01), op=hvd.Sum).minimize(loss)
with tf.compat.v1.Session(config=config) as session:
    session.run(tf.compat.v1.global_variables_initializer())
    session.run(hvd.broadcast_global_variables(0))
    for step in range(100):
        _, value = session.run([train, total_loss], feed_dict={keep: 0.9})
        if step % 10 == 0:
            whole = session.run(total_loss, {keep: 1.0})
            if hvd.rank() == 0:
                print(step, value, whole)
