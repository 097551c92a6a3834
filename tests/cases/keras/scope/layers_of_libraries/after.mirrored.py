"""Layers of libraries around Keras have variables too, so they are made under the scope; text is looked at outside."""

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub
from tensorflow_addons.layers import Maxout

strategy = tf.distribute.MirroredStrategy()
print("downloading")
with strategy.scope():
    encoder = hub.KerasLayer("https://tfhub.dev/google/nnlm-en-dim50/2", input_shape=[], dtype=tf.string, trainable=True)
    sentences = np.array(["a b", "c"] * 32)
    labels = np.zeros(64)
    print(encoder(sentences[:2]).shape)
    wide = Maxout(4)
    words = tf.keras.Input((), dtype=tf.string)
    encoded = encoder(words)
    pooled = wide(encoded)
    model = tf.keras.Model(words, tf.keras.layers.Dense(1)(pooled))
    model.compile(optimizer="adam", loss="mse")
model.fit(sentences, labels, epochs=2)
