"""No batch size means 32, which is shared out."""

import numpy
from keras.layers import Dense
from keras.models import Sequential
import horovod.keras as hvd
import tensorflow as tf
from keras.optimizers import RMSprop

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
data = numpy.loadtxt("pima.csv", delimiter=",")
X, Y = data[:, :8], data[:, 8]
model = Sequential()
model.add(Dense(12, input_dim=8, activation="relu"))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer=hvd.DistributedOptimizer(RMSprop()), metrics=["accuracy"])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = numpy.arange(hvd.rank(), hvd.rank() + len(X), hvd.size()) % len(X)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(X[shard], Y[shard], epochs=150, verbose=0, batch_size=32 // hvd.size(), callbacks=callbacks)
scores = model.evaluate(X, Y, verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print("%s: %.2f%%" % (model.metrics_names[1], scores[1] * 100))
