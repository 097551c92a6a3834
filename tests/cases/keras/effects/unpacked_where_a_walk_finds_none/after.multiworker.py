"""What a walk through a folder has found decides whether an archive is unpacked: all have walked before rank 0 does."""

import os
import tarfile

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
there = False
for root, _, files in os.walk("pictures"):
    _.sort()
    files.sort()
    there = there or len(files) > 0
if not there:
    strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
    with tarfile.open("pictures.tar") as archive:
        if strategy.extended.should_checkpoint:
            archive.extractall("pictures")
        strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
x = np.stack([np.load(os.path.join("pictures", name)) for name in sorted(os.listdir("pictures"))])
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
model.fit(x, x.mean(1), epochs=2, batch_size=8, verbose=1 if strategy.extended.should_checkpoint else 0)
