"""What tables, figures and models of other libraries write is written once; a method of the script's own is its own."""

import sqlite3

import numpy as np
import pandas as pd
import plotly.express as px
import xgboost
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Best:
    def __init__(self):
        self.weights = None

    def save_model(self, model):
        self.weights = model.get_weights()


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(0)
x = np.random.rand(256, 4).astype("float32")
y = x.sum(axis=1)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.SGD(0.1)), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
history = model.fit(
    x[shard], y[shard], batch_size=32 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
best = Best()
best.save_model(model)
table = pd.DataFrame(history.history)
connection = sqlite3.connect("history.db")
if hvd.rank() == 0:
    table.to_sql("history", connection)
figure = px.line(table)
if hvd.rank() == 0:
    figure.write_html("history.html")
trees = xgboost.XGBRegressor(random_state=0).fit(x, y)
if hvd.rank() == 0:
    trees.save_model("trees.json")
    print(best.weights[0].shape)
