"""Arrays are shared out before they flow."""

from keras.datasets import cifar10
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential
from keras.preprocessing.image import ImageDataGenerator
import horovod.keras as hvd
import numpy as np
import tensorflow as tf
from keras.optimizers import Adam

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    cifar10.load_data()
hvd.allreduce(0.0)
(x_train, y_train), (x_test, y_test) = cifar10.load_data()
datagen = ImageDataGenerator(horizontal_flip=True)
datagen.fit(x_train)
model = Sequential([Conv2D(8, 3, input_shape=(32, 32, 3)), Flatten(), Dense(10, activation="softmax")])
model.compile(hvd.DistributedOptimizer(Adam()), "sparse_categorical_crossentropy")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x_train), hvd.size()) % len(x_train)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit_generator(
    datagen.flow(x_train[shard], y_train[shard], batch_size=32 // hvd.size()),
    steps_per_epoch=len(x_train) // 32,
    epochs=5,
    validation_data=(x_test, y_test),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
