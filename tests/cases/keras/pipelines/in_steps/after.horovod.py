"""A pipeline that is made in steps is shared out before it is shuffled."""

import tensorflow as tf
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
if hvd.rank() == 0:
    tf.keras.datasets.fashion_mnist.load_data()
hvd.allreduce(0.0)
(x, y), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
train = tf.data.Dataset.from_tensor_slices((x, y))
train = train.concatenate(train.take(-len(train) % hvd.size())).shard(hvd.size(), hvd.rank())
train = train.map(lambda image, label: (tf.cast(image, tf.float32) / 255, label))
if 128 % hvd.size() != 0:
    raise SystemExit(f"batch size 128 cannot be shared out over {hvd.size()} processes")
train = train.shuffle(60000).batch(128 // hvd.size()).prefetch(tf.data.AUTOTUNE)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(128)

model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile(
    hvd.DistributedOptimizer(tf.keras.optimizers.Adam()),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    ["accuracy"],
)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train, epochs=2, validation_data=test, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
model.evaluate(test, verbose=1 if hvd.rank() == 0 else 0)
