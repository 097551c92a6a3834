"""A graph that draws its batches from an iterator, also where it does not train; 99 samples, batches of 16."""

import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
tf.set_random_seed(1)
images, labels = load_digits(return_X_y=True)
images, labels = images[:99].astype("float32") / 16, labels[:99]

dataset = tf.data.Dataset.from_tensor_slices((images, labels)).repeat()
dataset = dataset.batch(16).prefetch(2)
iterator = dataset.make_initializable_iterator()
x, y = iterator.get_next()
logits = tf.layers.dense(tf.layers.dense(x, 16, activation=tf.nn.relu), 10)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(logits=logits, labels=y))
right = tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32)
accuracy, hits = tf.reduce_mean(right), tf.reduce_sum(right)
numbers = tf.reduce_sum(y)
train = tf.train.AdamOptimizer(0.01).minimize(loss)

with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    session.run(iterator.initializer)
    for step in range(30):
        _, value = session.run([train, loss])
        if step % 5 == 0:
            print(f"{step}: {value:.5f}")
            value, part, total, seen = session.run([loss, accuracy, hits, numbers])
            print(f"next: {value:.5f}, {part:.4f}, {total:.1f}, {seen}")
    session.run(iterator.initializer)
    value = session.run(loss)
    print(f"again: {value:.5f}")
