"""What gives a text writes nothing; a summary that is printed is printed once; axes are set up once."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if hvd.rank() == 0:
    print(model.summary())
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
made_of = model.to_json()
table = pd.DataFrame(history.history)
shown = table.to_csv()
if hvd.rank() == 0:
    table.to_json("history.json")
    plt.plot(history.epoch, table["loss"])
    plt.gca().xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    plt.savefig("loss.png")
