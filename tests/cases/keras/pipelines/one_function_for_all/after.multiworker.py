"""A function prepares training and test data alike: batches are dealt out behind it."""

import tensorflow as tf


def prepare(data, training):
    data = data.map(lambda image, label: (image / 255, label))
    if training:
        data = data.shuffle(100)
    return data.batch(32).prefetch(1)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    tf.keras.datasets.mnist.load_data()
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
(x, y), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
train = prepare(tf.data.Dataset.from_tensor_slices((x, y)), True)
test = prepare(tf.data.Dataset.from_tensor_slices((x_test, y_test)), False)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, epochs=2, validation_data=test, verbose=1 if strategy.extended.should_checkpoint else 0)
