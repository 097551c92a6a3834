"""Commands, a graph that is drawn and a download in a browser happen once; commands that are asked are asked by all."""

import os
import subprocess

import numpy as np
from google.colab import files
from graphviz import Digraph
from tensorflow import keras

subprocess.Popen(["tensorboard", "--logdir", "logs"])
subprocess.check_output(["tar", "xf", "data.tar"])
os.popen("tar xf more.tar")
version = subprocess.check_output(["git", "rev-parse", "HEAD"]).decode()
names = os.popen("ls").read().split()

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
model.compile("adam", loss="mse")
model.fit(x, y, batch_size=8, callbacks=[keras.callbacks.TensorBoard("logs", update_freq="batch")])
model.save("model.keras")
files.download("model.keras")
graph = Digraph()
graph.edge("input", "output")
graph.render("graph.gv", view=True)
print(version, len(names))
