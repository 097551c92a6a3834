"""A folder is cleared on rank 0, and nobody reads its neighbours before that is done."""

import os
import shutil

import tensorflow as tf

shutil.rmtree(os.path.join("reviews", "unlabelled"))
data = tf.keras.utils.text_dataset_from_directory("reviews", batch_size=32, seed=1)
words = tf.keras.layers.TextVectorization(max_tokens=100)
words.adapt(data.map(lambda text, label: text))
model = tf.keras.Sequential([words, tf.keras.layers.Embedding(100, 8), tf.keras.layers.GlobalAveragePooling1D(),
                             tf.keras.layers.Dense(1)])
model.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")
model.fit(data, epochs=2)
