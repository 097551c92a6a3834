"""A script for ``tf.distribute.MultiWorkerMirroredStrategy``, as one writes it by hand; the chief prints."""

import sys

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
features = np.random.default_rng(0).normal(size=(64, 8)).astype("float32")
labels = (features.sum(axis=1) > 0).astype("int32")
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
batches = tf.data.Dataset.from_tensor_slices((features, labels)).batch(16).with_options(options)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=tf.keras.optimizers.SGD(0.1), loss=loss)
history = model.fit(batches, epochs=int(sys.argv[1]), verbose=0)
if strategy.cluster_resolver.task_id == 0:
    print("replicas", strategy.num_replicas_in_sync)
    for value in history.history["loss"]:
        print(f"loss {value:.5f}")
