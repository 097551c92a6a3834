"""Models are exported by a function, and by a builder that writes from when it is made on."""

import numpy as np
import tensorflow as tf

inputs = np.load("inputs.npy")
x = tf.placeholder(tf.float32, [None, 4])
scores = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(scores))
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        sess.run(train, {x: inputs})
    tf.saved_model.simple_save(sess, "exported/1", inputs={"x": x}, outputs={"scores": scores})
    builder = tf.saved_model.builder.SavedModelBuilder("exported/2")
    builder.add_meta_graph_and_variables(sess, [tf.saved_model.tag_constants.SERVING])
    builder.save()
