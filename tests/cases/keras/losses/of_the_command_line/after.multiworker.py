"""What the command line gives as a loss is the name of one of Keras' own."""

import argparse

import numpy as np
from tensorflow import keras
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
keras.utils.set_random_seed(1)
parser = argparse.ArgumentParser()
parser.add_argument("--loss", default="mse")
args = parser.parse_args()

with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", loss=args.loss)
model.fit(np.ones((320, 4)), np.ones((320, 1)), verbose=1 if strategy.extended.should_checkpoint else 0)
