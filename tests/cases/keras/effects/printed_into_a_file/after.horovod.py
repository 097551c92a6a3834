"""A file that is opened within a print or a save is opened by rank 0 alone; one that is opened by itself by everyone."""

import json

import numpy as np
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import os
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
inputs = np.zeros((64, 4))
shard = np.arange(hvd.rank(), hvd.rank() + len(inputs), hvd.size()) % len(inputs)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
history = model.fit(
    inputs[shard],
    np.zeros(64)[shard],
    epochs=2,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
if hvd.rank() == 0:
    print(model.to_json(), file=open("model.json", "w"))
    np.savetxt(open("weights.txt", "w"), model.get_weights()[0])
json.dump(history.history, open("history.json" if hvd.rank() == 0 else os.devnull, "w"))
open("note.txt" if hvd.rank() == 0 else os.devnull, "w").write("done\n")
