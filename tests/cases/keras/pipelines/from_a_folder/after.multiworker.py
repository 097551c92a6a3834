"""A folder of images comes in batches: a strategy shares them out, Horovod cannot."""

import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
train = keras.utils.image_dataset_from_directory("photos", validation_split=0.2, subset="training", seed=1)
held = keras.utils.image_dataset_from_directory("photos", validation_split=0.2, subset="validation", seed=1)
with strategy.scope():
    model = keras.Sequential([keras.layers.Rescaling(1.0 / 255), keras.layers.Flatten(), keras.layers.Dense(5)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train.prefetch(2), validation_data=held, epochs=3, verbose=1 if strategy.extended.should_checkpoint else 0)
