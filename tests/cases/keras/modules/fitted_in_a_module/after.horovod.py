"""The script makes the model, and a module fits it: under a strategy, only the script needs the scope."""

from tensorflow import keras

from training import fit
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD()), loss="mse")
fit(model)
if hvd.rank() == 0:
    print("trained")
