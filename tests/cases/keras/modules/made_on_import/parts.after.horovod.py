import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd

x, y = np.random.rand(64, 4), np.random.rand(64, 1)
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse")
