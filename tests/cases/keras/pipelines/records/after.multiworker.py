"""Workers would deal out the files of records in place of samples; what comes from memory is dealt out by samples."""

import tensorflow as tf


def parse(record):
    row = tf.io.parse_example(
        record, {"x": tf.io.FixedLenFeature([4], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}
    )
    return row["x"], row["y"]


strategy = tf.distribute.MultiWorkerMirroredStrategy()
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
tf.keras.utils.set_random_seed(0)
train = tf.data.TFRecordDataset(["a.tfrecord", "b.tfrecord"]).map(parse).shuffle(1000).batch(16)
test = tf.data.Dataset.from_tensor_slices(([[1.0, 2.0, 3.0, 4.0]] * 32, [1] * 32)).batch(16)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    model.compile("sgd", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(
    train.with_options(options), epochs=2, validation_data=test, verbose=1 if strategy.extended.should_checkpoint else 0
)
evaluate_result = model.evaluate(
    train.take(4).with_options(options), verbose=1 if strategy.extended.should_checkpoint else 0
)
if strategy.extended.should_checkpoint:
    print("train", evaluate_result)
