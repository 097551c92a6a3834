"""Files that are opened for writing, by whatever function, are read again by name: other processes wait."""

import numpy as np
import tensorflow as tf
import horovod.tensorflow.keras as hvd
import os

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(0)
x = np.random.rand(256, 8).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
with tf.io.gfile.GFile("labels.txt" if hvd.rank() == 0 else os.devnull, "w") as file:
    file.write("one\ntwo\n")
hvd.allreduce(0.0)
with tf.io.gfile.GFile("labels.txt") as file:
    labels = file.read().split()
with open("model.tflite" if hvd.rank() == 0 else os.devnull, "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_keras_model(model).convert())
pretrained = tf.lite.Interpreter(model_path="pretrained.tflite")
hvd.allreduce(0.0)
interpreter = tf.lite.Interpreter(model_path="model.tflite")
interpreter.allocate_tensors()
if hvd.rank() == 0:
    print(labels, interpreter.get_input_details()[0]["shape"], pretrained.get_input_details()[0]["shape"])
