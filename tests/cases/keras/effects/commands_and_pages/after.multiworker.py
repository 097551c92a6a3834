"""Commands, a graph that is drawn and a download in a browser happen once; commands that are asked are asked by all."""

import os
import subprocess

import numpy as np
from google.colab import files
from graphviz import Digraph
from tensorflow import keras
import tempfile
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
if strategy.extended.should_checkpoint:
    subprocess.Popen(["tensorboard", "--logdir", "logs"])
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
if strategy.extended.should_checkpoint:
    subprocess.check_output(["tar", "xf", "data.tar"])
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
if strategy.extended.should_checkpoint:
    os.popen("tar xf more.tar")
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
version = subprocess.check_output(["git", "rev-parse", "HEAD"]).decode()
names = os.popen("ls").read().split()

x, y = np.load("x.npy"), np.load("y.npy")
with strategy.scope():
    model = keras.Sequential([keras.layers.Input((3,)), keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
model.fit(
    x,
    y,
    batch_size=8,
    callbacks=[keras.callbacks.TensorBoard("logs", update_freq="batch")],
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
model.save(
    "model.keras" if strategy.extended.should_checkpoint else os.path.join(
        tempfile.mkdtemp(), os.path.basename("model.keras")
    )
)
if strategy.extended.should_checkpoint:
    files.download("model.keras")
graph = Digraph()
graph.edge("input", "output")
if strategy.extended.should_checkpoint:
    graph.render("graph.gv", view=True)
    print(version, len(names))
