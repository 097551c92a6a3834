"""Workers would deal out the files of records in place of samples; what comes from memory is dealt out by samples."""

import tensorflow as tf
import horovod.tensorflow.keras as hvd


def parse(record):
    row = tf.io.parse_example(
        record, {"x": tf.io.FixedLenFeature([4], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
    )
    return row["x"], row["y"]


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
tf.keras.utils.set_random_seed(0)
train = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"]).map(parse).shuffle(1000).batch(16)
test = tf.data.Dataset.from_tensor_slices(([[1.0, 2.0, 3.0, 4.0]] * 32, [1] * 32)).batch(16)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile(
    hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
)

def share(*batch):
    rows = tf.shape(tf.nest.flatten(batch)[-1])[0]
    mine = tf.range(hvd.rank(), hvd.rank() + rows, hvd.size()) % rows
    return tf.nest.map_structure(lambda part: tf.gather(part, mine), batch)

callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(train.map(share), epochs=2, validation_data=test, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0)
evaluate_result = model.evaluate(train.take(4), verbose=1 if hvd.rank() == 0 else 0)
if hvd.rank() == 0:
    print("train", evaluate_result)
