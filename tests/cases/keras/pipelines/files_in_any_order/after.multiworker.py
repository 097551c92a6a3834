"""Parts of files that are read in another order by each process would overlap."""

import tensorflow as tf
import tensorflow_datasets as tfds

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
train = tfds.load("mnist", split="train", as_supervised=True, shuffle_files=True)
train = train.shuffle(1000).batch(128)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=2, verbose=1 if not strategy.cluster_resolver.task_id else 0)
