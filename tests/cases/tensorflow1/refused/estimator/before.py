"""An estimator trains out of sight."""

import numpy as np
import tensorflow.compat.v1 as tf

data = np.load("data.npy")
columns = [tf.feature_column.numeric_column("x", shape=[3])]
estimator = tf.estimator.LinearRegressor(feature_columns=columns)
inputs = tf.estimator.inputs.numpy_input_fn({"x": data}, data[:, 0], batch_size=64, shuffle=True)
tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(inputs), tf.estimator.EvalSpec(inputs))
