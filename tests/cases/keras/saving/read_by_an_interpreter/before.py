"""Files that are opened for writing, by whatever function, are read again by name: other processes wait."""

import numpy as np
import tensorflow as tf

np.random.seed(0)
x = np.random.rand(256, 8).astype("float32")
y = x.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=32, epochs=2)
with tf.io.gfile.GFile("labels.txt", "w") as file:
    file.write("one\ntwo\n")
with tf.io.gfile.GFile("labels.txt") as file:
    labels = file.read().split()
with open("model.tflite", "wb") as file:
    file.write(tf.lite.TFLiteConverter.from_keras_model(model).convert())
pretrained = tf.lite.Interpreter(model_path="pretrained.tflite")
interpreter = tf.lite.Interpreter(model_path="model.tflite")
interpreter.allocate_tensors()
print(labels, interpreter.get_input_details()[0]["shape"], pretrained.get_input_details()[0]["shape"])
