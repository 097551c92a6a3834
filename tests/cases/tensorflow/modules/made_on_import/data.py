import numpy as np
import tensorflow as tf

x = np.random.rand(64, 4).astype("float32")
train = tf.data.Dataset.from_tensor_slices((x, x.sum(axis=1, keepdims=True))).batch(16)
