"""The images of the tutorials are fed: batches are shared out, tests are made by everyone on all images."""

import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data

# Images and labels
mnist = input_data.read_data_sets("data", one_hot=True)

batch_size = 100
x = tf.placeholder(tf.float32, [None, 784])
y = tf.placeholder(tf.float32, [None, 10])
keep = tf.placeholder(tf.float32)

hidden = tf.nn.relu(tf.matmul(x, tf.Variable(tf.truncated_normal([784, 128]))) + tf.Variable(tf.zeros([128])))
logits = tf.matmul(tf.nn.dropout(hidden, keep), tf.Variable(tf.truncated_normal([128, 10])))
cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits, labels=y))
train = tf.train.AdamOptimizer(0.001).minimize(cost)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1)), tf.float32))
saver = tf.train.Saver()

# Train, and save
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(1, 1001):
        images, labels = mnist.train.next_batch(batch_size)
        session.run(train, feed_dict={x: images, y: labels, keep: 0.5})
        if step % 100 == 0:
            loss, right = session.run([cost, accuracy], feed_dict={x: images, y: labels, keep: 1.0})
            print("step", step, "loss", loss, "accuracy", right)
    print("test:", accuracy.eval({x: mnist.test.images, y: mnist.test.labels, keep: 1.0}))
    path = saver.save(session, "model.ckpt")
    print("saved as", path)
