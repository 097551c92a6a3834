"""A published data set, whose split is named by a member of tfds.Split, goes through one function with what it validates on."""

import tensorflow as tf
import tensorflow_datasets as tfds


@tf.function
def flip(image, label):
    return tf.image.random_flip_left_right(image), label


def prepare(data, training=False):
    if training:
        data = data.shuffle(2048).map(flip, num_parallel_calls=4)
    return data.batch(128).prefetch(8)


train = prepare(tfds.load(name="cifar10", split=tfds.Split.TRAIN, as_supervised=True), True)
test = prepare(tfds.load(name="cifar10", split=tfds.Split.TEST, as_supervised=True))
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=5, validation_data=test)
