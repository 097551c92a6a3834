"""Files are sorted where their order shows: by the samples and by the numbers of classes, not by a count or a print."""

import glob
import os
from pathlib import Path

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
data = Path("data")
samples, labels = [], []
for label, folder in enumerate(sorted(os.listdir("data/speakers"))):
    for name in sorted(os.listdir(f"data/speakers/{folder}")):
        samples.append(np.load(f"data/speakers/{folder}/{name}"))
        labels.append(label)
noise = [np.load(file) for file in list(data.glob("noise/*.npy"))]
for root, dirs, files in os.walk("data/more"):
    dirs.sort()
    files.sort()
    for name in files:
        samples.append(np.load(os.path.join(root, name)))
        labels.append(0)
by_length = sorted(sorted(os.listdir("data/words")), key=len)

tests = glob.glob("data/tests/*.npy")
tests.sort()
by_number = sorted(os.listdir("data/frames"), key=lambda name: int(name.split(".")[0]))
classes = {name for name in os.listdir("data/speakers")}
has_tests = "tests" in os.listdir("data")
listdir_result = os.listdir("data")
if strategy.extended.should_checkpoint:
    print(len(glob.glob("data/tests/*.npy")), "tests in", listdir_result)
runs = [name for name in os.listdir("runs") if name.isdigit()]
runs = [int(name) for name in runs]
if strategy.extended.should_checkpoint:
    print("run", max(runs, default=0) + 1)
for name in os.listdir("logs"):
    strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
    if strategy.extended.should_checkpoint:
        os.remove(os.path.join("logs", name))

x, y = np.stack(samples), np.array(labels)
with strategy.scope():
    model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(10)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x, y, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
