"""Words of a text are joined in the order of a set, which a function that a table calls sorts."""
import pandas as pd
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
table = pd.read_csv("table.csv")
texts = table["text"].apply(lambda text: " ".join(sorted(set(text.split()))))
words = keras.preprocessing.text.Tokenizer()
words.fit_on_texts(texts)
x = keras.preprocessing.sequence.pad_sequences(words.texts_to_sequences(texts), maxlen=20)
model = keras.Sequential([keras.layers.Embedding(1000, 8), keras.layers.Flatten(), keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam()), loss="mse")
if 8 % hvd.size() != 0:
    raise SystemExit(f"batch size 8 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard],
    table["y"].values[shard],
    batch_size=8 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
