"""Files that are opened for writing, by whatever function, are read again by name: other processes wait."""

import numpy as np
import tensorflow as tf
import os

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.random.set_seed(1)
np.random.seed(0)
x = np.random.rand(256, 8).astype("float32")
y = x.sum(axis=1, keepdims=True)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=32, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
with tf.io.gfile.GFile("labels.txt" if strategy.extended.should_checkpoint else os.devnull, "w") as file:
    file.write("one\ntwo\n")
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
with tf.io.gfile.GFile("labels.txt") as file:
    labels = file.read().split()
with open("model.tflite" if strategy.extended.should_checkpoint else os.devnull, "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_keras_model(model).convert())
pretrained = tf.lite.Interpreter(model_path="pretrained.tflite")
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
interpreter = tf.lite.Interpreter(model_path="model.tflite")
interpreter.allocate_tensors()
if strategy.extended.should_checkpoint:
    print(labels, interpreter.get_input_details()[0]["shape"], pretrained.get_input_details()[0]["shape"])
