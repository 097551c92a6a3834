"""The graph draws its batches; what does not train draws the next one too."""

import numpy as np
import tensorflow.compat.v1 as tf
import horovod.tensorflow as hvd

tf.disable_v2_behavior()
hvd.init()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
config.gpu_options.visible_device_list = str(hvd.local_rank())
batch_size = 16
num_steps = 40
data = np.load("data.npz")

sess = tf.Session(config=config)
dataset = tf.data.Dataset.from_tensor_slices((data["images"], data["labels"]))
dataset = dataset.repeat()
if batch_size % hvd.size() != 0:
    raise SystemExit(f"batch size {batch_size} cannot be shared out over {hvd.size()} processes")
dataset = dataset.shard(hvd.size(), hvd.rank()).batch(batch_size // hvd.size())
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
mean_loss_op = hvd.allreduce(loss_op)
train_op = hvd.DistributedOptimizer(tf.train.AdamOptimizer(0.01)).minimize(loss_op)
correct = tf.equal(tf.argmax(logits_test, 1), tf.argmax(Y, 1))
accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))
mean_accuracy = hvd.allreduce(accuracy)
hits = tf.reduce_sum(tf.cast(correct, tf.float32))
total_hits = hvd.allreduce(hits, op=hvd.Sum)
sess.run(tf.global_variables_initializer())
sess.run(hvd.broadcast_global_variables(0))

for step in range(1, num_steps + 1):
    sess.run(train_op)
    if step % 10 == 0 or step == 1:
        loss, acc, right = sess.run([mean_loss_op, mean_accuracy, total_hits])
        if hvd.rank() == 0:
            print(f"Step {step}, Minibatch Loss= {loss:.4f}, Training Accuracy= {acc:.3f}, {right}")
last = mean_accuracy.eval(session=sess)
if hvd.rank() == 0:
    print("Last", last)
