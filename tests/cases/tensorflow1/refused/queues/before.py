"""The graph reads its batches from queues."""

import tensorflow as tf

names = tf.train.string_input_producer(["a.csv", "b.csv"])
_, line = tf.TextLineReader().read(names)
x, y = tf.train.shuffle_batch(tf.decode_csv(line, [[0.0], [0.0]]), 64, 1000, 500)
w = tf.Variable(1.0)
loss = tf.reduce_mean(tf.square(x * w - y))
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    coordinator = tf.train.Coordinator()
    threads = tf.train.start_queue_runners(coord=coordinator)
    for i in range(200):
        sess.run(train)
