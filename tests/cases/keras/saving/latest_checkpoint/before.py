"""What asks for files that rank 0 writes waits for rank 0: the latest checkpoint, an interpreter, a listing."""

import os

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
model.fit(
    np.zeros((64, 4)), np.zeros(64), callbacks=[keras.callbacks.ModelCheckpoint("kept/{epoch}", save_weights_only=True)]
)
names = os.listdir("kept")
latest = tf.train.latest_checkpoint("kept")
model.load_weights(latest)
light = tf.lite.TFLiteConverter.from_keras_model(model).convert()
with open("model.tflite", "wb") as file:
    file.write(light)
interpreter = tf.lite.Interpreter(model_path="model.tflite")
