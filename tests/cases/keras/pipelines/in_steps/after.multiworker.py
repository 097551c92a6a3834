"""A pipeline that is made in steps is shared out before it is shuffled."""

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    tf.keras.datasets.fashion_mnist.load_data()
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
(x, y), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
train = tf.data.Dataset.from_tensor_slices((x, y))
train = train.map(lambda image, label: (tf.cast(image, tf.float32) / 255, label))
train = train.shuffle(60000).batch(128).prefetch(tf.data.AUTOTUNE)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(128)

with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, epochs=2, validation_data=test, verbose=1 if strategy.extended.should_checkpoint else 0)
model.evaluate(test, verbose=1 if strategy.extended.should_checkpoint else 0)
