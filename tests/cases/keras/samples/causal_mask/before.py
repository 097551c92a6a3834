"""A mask that is repeated for each sample of the batch combines no samples."""
import keras
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def causal_attention_mask(batch_size, n_dest, n_src, dtype):
    i = tf.range(n_dest)[:, None]
    j = tf.range(n_src)
    mask = tf.reshape(tf.cast(i >= j - n_src + n_dest, dtype), [1, n_dest, n_src])
    mult = tf.concat([tf.expand_dims(batch_size, -1), tf.constant([1, 1], dtype=tf.int32)], 0)
    return tf.tile(mask, mult)


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.att = layers.MultiHeadAttention(2, 16)
        self.norm = layers.LayerNormalization()

    def call(self, inputs):
        shape = tf.shape(inputs)
        batch_size, seq_len = shape[0], shape[1]
        mask = causal_attention_mask(batch_size, seq_len, seq_len, tf.bool)
        return self.norm(inputs + self.att(inputs, inputs, attention_mask=mask))


inputs = layers.Input(shape=(12,), dtype=tf.int32)
x = layers.Embedding(50, 16)(inputs)
x = Block()(x)
model = keras.Model(inputs, layers.Dense(50)(x))
model.compile("adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((64, 12), "int32"), np.zeros((64, 12), "int32"), batch_size=16, epochs=1)
