"""Each process goes through the folder in an order of its own."""

from tensorflow.keras.layers import Dense, Flatten
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator
import tensorflow as tf
import tensorflow.keras.utils as utils

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
train = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("train", target_size=(64, 64), batch_size=20)
test = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("test", target_size=(64, 64), batch_size=20)
with strategy.scope():
    model = Sequential([Flatten(), Dense(2, activation="softmax")])
    model.compile("adam", "categorical_crossentropy")
model.fit(train, epochs=3, validation_data=test, verbose=1 if strategy.extended.should_checkpoint else 0)
