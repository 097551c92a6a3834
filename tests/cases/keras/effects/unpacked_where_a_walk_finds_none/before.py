"""What a walk through a folder has found decides whether an archive is unpacked: all have walked before rank 0 does."""

import os
import tarfile

import numpy as np
from tensorflow import keras

there = False
for root, _, files in os.walk("pictures"):
    there = there or len(files) > 0
if not there:
    with tarfile.open("pictures.tar") as archive:
        archive.extractall("pictures")
x = np.stack([np.load(os.path.join("pictures", name)) for name in sorted(os.listdir("pictures"))])
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(optimizer="sgd", loss="mse")
model.fit(x, x.mean(1), epochs=2, batch_size=8)
