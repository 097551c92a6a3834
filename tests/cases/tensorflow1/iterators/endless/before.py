"""The graph draws its batches; what does not train draws the next one too."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
batch_size = 16
num_steps = 40
data = np.load("data.npz")

sess = tf.Session()
dataset = tf.data.Dataset.from_tensor_slices((data["images"], data["labels"]))
dataset = dataset.repeat()
dataset = dataset.batch(batch_size)
dataset = dataset.prefetch(batch_size)
iterator = dataset.make_initializable_iterator()
sess.run(iterator.initializer)
X, Y = iterator.get_next()


def network(x, reuse, is_training):
    with tf.variable_scope("Network", reuse=reuse):
        hidden = tf.layers.dense(tf.reshape(x, [-1, 8]), 16, activation=tf.nn.relu)
        hidden = tf.layers.dropout(hidden, rate=0.2, training=is_training)
        out = tf.layers.dense(hidden, 4)
        return out if is_training else tf.nn.softmax(out)


logits_train = network(X, reuse=False, is_training=True)
logits_test = network(X, reuse=True, is_training=False)
loss_op = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=logits_train, labels=Y))
train_op = tf.train.AdamOptimizer(0.01).minimize(loss_op)
correct = tf.equal(tf.argmax(logits_test, 1), tf.argmax(Y, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
hits = tf.reduce_sum(tf.cast(correct, tf.float32))
sess.run(tf.global_variables_initializer())

for step in range(1, num_steps + 1):
    sess.run(train_op)
    if step % 10 == 0 or step == 1:
        loss, acc, right = sess.run([loss_op, accuracy, hits])
        print(f"Step {step}, Minibatch Loss= {loss:.4f}, Training Accuracy= {acc:.3f}, {right}")
last = accuracy.eval(session=sess)
print("Last", last)
