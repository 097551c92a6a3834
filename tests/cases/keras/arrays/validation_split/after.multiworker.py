"""The last tenth is held back before the rest is shared out; every process validates on all of it."""

import tensorflow as tf
from tensorflow.keras import layers, models

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    tf.keras.datasets.mnist.load_data()
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
(x_train, y_train), _ = tf.keras.datasets.mnist.load_data()
batch = 64
with strategy.scope():
    model = models.Sequential()
    model.add(layers.Flatten(input_shape=(28, 28)))
    model.add(layers.Dense(10, activation="softmax"))
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
history = model.fit(
    x_train / 255.0,
    y_train,
    batch,
    5,
    validation_split=0.1,
    shuffle=False,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
if strategy.extended.should_checkpoint:
    print(max(history.history["val_accuracy"]))
