"""What commands answer is printed once, and asked by all."""

import os
import subprocess
from subprocess import check_output

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
check_output_result = check_output(["ls", "data"])
if strategy.extended.should_checkpoint:
    print(check_output_result.decode())
getoutput_result = subprocess.getoutput("nvidia-smi")
read_result = os.popen("uname").read()
if strategy.extended.should_checkpoint:
    print(getoutput_result, read_result)

    get_ipython().system("mkdir -p ~/.keras/models")
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))

x, y = np.load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
