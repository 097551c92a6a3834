"""A seed that is set if one was given: without one, the order of the data has to be rank 0's."""
import argparse

import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
parser = argparse.ArgumentParser()
parser.add_argument("--seed", type=int)
args = parser.parse_args()
if args.seed is not None:
    np.random.seed(args.seed)
    tf.random.set_seed(args.seed)
order = np.random.permutation(640)
x = np.load("x.npy")[order]
y = np.load("y.npy")[order]
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(10,)), tf.keras.layers.Dropout(0.1), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
model.fit(x[:512], y[:512], batch_size=32, epochs=3, verbose=1 if strategy.extended.should_checkpoint else 0)
