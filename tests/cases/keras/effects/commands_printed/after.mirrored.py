"""What commands answer is printed once, and asked by all."""

import os
import subprocess
from subprocess import check_output

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
print(check_output(["ls", "data"]).decode())
print(subprocess.getoutput("nvidia-smi"), os.popen("uname").read())

get_ipython().system("mkdir -p ~/.keras/models")

x, y = np.load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8)
