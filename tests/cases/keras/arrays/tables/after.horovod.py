"""Tables of pandas are shared out by position, lists by way of an array."""

import pandas as pd
from sklearn.model_selection import train_test_split
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
table = pd.read_csv("cars.csv")
target = table.pop("mpg")
train, test, train_target, test_target = train_test_split(table, target, random_state=1)

model = keras.Sequential([keras.layers.Dense(64), keras.layers.Dense(1)])
model.compile(loss="mse", optimizer=hvd.DistributedOptimizer(keras.optimizers.RMSprop(0.001)), metrics=["mae"])
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
split = int(len(train) * (1 - 0.2))
shard = np.arange(hvd.rank(), hvd.rank() + split, hvd.size()) % split
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    train.iloc[shard],
    train_target.iloc[shard],
    epochs=10,
    validation_data=(train[split:], train_target[split:]),
    verbose=0,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
)
evaluate_result = model.evaluate(test, test_target, verbose=0)
if hvd.rank() == 0:
    print(evaluate_result)
