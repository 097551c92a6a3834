"""A frozen base is trained first, then all of the model: two compiles, two fits."""

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
with strategy.scope():
    base = keras.applications.MobileNetV2(include_top=False, pooling="avg", input_shape=(96, 96, 3))
    base.trainable = False
    model = keras.Sequential([base, keras.layers.Dropout(0.2), keras.layers.Dense(2, activation="softmax")])
    images, labels = np.zeros((64, 96, 96, 3), "float32"), np.zeros(64)
    model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images, labels, epochs=1, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
base.trainable = True
with strategy.scope():
    model.compile(keras.optimizers.Adam(1e-5), "sparse_categorical_crossentropy")
model.fit(images, labels, epochs=1, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
