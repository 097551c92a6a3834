"""A list of files within an expression that is written anew has to get a name; what is printed and saved once stays."""

import glob
import os

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
listdir_result = os.listdir("data")
if strategy.extended.should_checkpoint:
    print(listdir_result[0], np.load(glob.glob("data/*.npy")[0]).shape)
    np.save("all.npy", np.stack([np.load(file) for file in glob.glob("data/*.npy")]))
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(4)])
    model.compile("sgd", "mse")
strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(0.0)))
model.fit(
    tf.data.Dataset.from_tensor_slices([np.load(f) for f in sorted(glob.glob("x/*"))]).batch(32),
    epochs=2,
    verbose=1 if strategy.extended.should_checkpoint else 0,
)
