"""Arrays are shared out before they flow."""

from keras.datasets import cifar10
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator
import keras.utils as utils
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    cifar10.load_data()
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
(x_train, y_train), (x_test, y_test) = cifar10.load_data()
datagen = ImageDataGenerator(horizontal_flip=True)
datagen.fit(x_train)
with strategy.scope():
    model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3)), Flatten(), Dense(10, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
model.fit_generator(
    datagen.flow(x_train, y_train, batch_size=32),
    steps_per_epoch=len(x_train) // 32,
    epochs=5,
    validation_data=(x_test, y_test),
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
