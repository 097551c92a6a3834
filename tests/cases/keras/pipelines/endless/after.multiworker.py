"""Data repeated without end: each process goes round its own part, with as many steps as before."""

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
tf.keras.utils.set_random_seed(1)
files = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"])
data = files.map(lambda record: tf.io.parse_tensor(record, tf.float32)).shuffle(100).repeat().batch(32)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(
    data.with_options(options), epochs=2, steps_per_epoch=100, verbose=1 if strategy.extended.should_checkpoint else 0
)
