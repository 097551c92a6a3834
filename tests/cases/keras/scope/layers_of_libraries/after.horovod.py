"""Layers of libraries around Keras have variables too, so they are made under the scope; text is looked at outside."""

import numpy as np
import tensorflow as tf
import tensorflow_hub as hub
from tensorflow_addons.layers import Maxout
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    print("downloading")
encoder = hub.KerasLayer("https://tfhub.dev/google/nnlm-en-dim50/2", input_shape=[], dtype=tf.string, trainable=True)
sentences = np.array(["a b", "c"] * 32)
labels = np.zeros(64)
encoder_result = encoder(sentences[:2])
if hvd.rank() == 0:
    print(encoder_result.shape)
wide = Maxout(4)
words = tf.keras.Input((), dtype=tf.string)
encoded = encoder(words)
pooled = wide(encoded)
model = tf.keras.Model(words, tf.keras.layers.Dense(1)(pooled))
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(sentences), hvd.size()) % len(sentences)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    sentences[shard],
    labels[shard],
    epochs=2,
    batch_size=32 // hvd.size(),
    callbacks=callbacks,
    verbose=1 if hvd.rank() == 0 else 0,
)
