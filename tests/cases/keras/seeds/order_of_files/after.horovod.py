"""Files are sorted where their order shows: by the samples and by the numbers of classes, not by a count or a print."""

import glob
import os
from pathlib import Path

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
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
if hvd.rank() == 0:
    print(len(glob.glob("data/tests/*.npy")), "tests in", listdir_result)
runs = [name for name in os.listdir("runs") if name.isdigit()]
runs = [int(name) for name in runs]
if hvd.rank() == 0:
    print("run", max(runs, default=0) + 1)
for name in os.listdir("logs"):
    hvd.allreduce(0.0)
    if hvd.rank() == 0:
        os.remove(os.path.join("logs", name))

x, y = np.stack(samples), np.array(labels)
model = keras.Sequential([keras.layers.Input((8,)), keras.layers.Dense(10)])
model.compile(
    hvd.DistributedOptimizer(keras.optimizers.SGD()), keras.losses.SparseCategoricalCrossentropy(from_logits=True)
)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], y[shard], epochs=2, batch_size=32 // hvd.size(), callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
