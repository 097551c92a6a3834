"""Commands, a graph that is drawn and a download in a browser happen once; commands that are asked are asked by all."""

import os
import subprocess

import numpy as np
from google.colab import files
from graphviz import Digraph
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    subprocess.Popen(["tensorboard", "--logdir", "logs"])
hvd.allreduce(0.0)
if hvd.rank() == 0:
    subprocess.check_output(["tar", "xf", "data.tar"])
hvd.allreduce(0.0)
if hvd.rank() == 0:
    os.popen("tar xf more.tar")
hvd.allreduce(0.0)
version = subprocess.check_output(["git", "rev-parse", "HEAD"]).decode()
names = os.popen("ls").read().split()

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
type(model.optimizer).__module__ = "keras.optimizers"  # so that saved models load without Horovod
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
model.fit(
    x[shard],
    y[shard],
    batch_size=8 // hvd.size(),
    callbacks=[
        hvd.callbacks.BroadcastGlobalVariablesCallback(0),
        hvd.callbacks.MetricAverageCallback(),
        *([keras.callbacks.TensorBoard("logs", update_freq="batch")] if hvd.rank() == 0 else []),
    ],
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    model.save("model.keras")
    files.download("model.keras")
graph = Digraph()
graph.edge("input", "output")
if hvd.rank() == 0:
    graph.render("graph.gv", view=True)
    print(version, len(names))
