"""What is computed of a table, by operators or by NumPy, is a table: rows are taken by their places."""

import numpy as np
import pandas as pd
from sklearn.utils import shuffle
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
table = pd.read_csv("prices.csv")
price = np.log1p(table["price"])
features = table.drop(columns=["price"])
features = (features - features.mean()) / features.std()
features, price = shuffle(features, price, random_state=0)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), "mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
split = int(len(features) * (1 - 0.1))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    features.iloc[shard],
    price.iloc[shard],
    epochs=5,
    validation_data=(features[split:], price[split:]),
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
