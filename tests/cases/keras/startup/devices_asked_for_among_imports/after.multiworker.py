"""A try among the imports asks for devices, which starts TensorFlow: the start stands in front of it."""
import numpy as np
from tensorflow.keras.layers import LSTM, Dense, Input
from tensorflow.keras.models import Model
import tensorflow as tf
import tensorflow.keras.utils as utils

strategy = tf.distribute.MultiWorkerMirroredStrategy()
utils.set_random_seed(1)
try:
    import tensorflow.keras.backend as K

    if len(K._get_available_gpus()) > 0:
        from tensorflow.compat.v1.keras.layers import CuDNNLSTM as LSTM
except Exception:
    pass


x, y = np.random.RandomState(0).rand(64, 5, 3), np.arange(64) % 2
with strategy.scope():
    inputs = Input((5, 3))
    model = Model(inputs, Dense(1, activation="sigmoid")(LSTM(4)(inputs)))
    model.compile("adam", "binary_crossentropy")
model.fit(x, y, batch_size=16, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
