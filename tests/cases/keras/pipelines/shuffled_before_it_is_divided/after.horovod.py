"""Files are listed in an order by chance, and shuffled before they are divided: all processes share one seed."""

import tensorflow as tf
import horovod.tensorflow.keras as hvd
import numpy as np
import random

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(int(hvd.broadcast(np.random.randint(2**31), 0)))
tf.random.set_seed(int(hvd.broadcast(random.randrange(2**31), 0)))
files = tf.data.Dataset.list_files("pictures/*/*.jpg").shuffle(1000)


def read(path):
    picture = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (32, 32))
    return picture, tf.strings.regex_full_match(path, ".*cat.*")


held = files.take(100).map(read).batch(32)
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
samples = files.skip(100)
samples = samples.concatenate(samples.take(-len(samples) % hvd.size())).shard(hvd.size(), hvd.rank())
shown = samples.map(read).batch(32 // hvd.size())
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile(optimizer=hvd.DistributedOptimizer(tf.keras.optimizers.Adam()), loss="mse")
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(shown, validation_data=held, epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
