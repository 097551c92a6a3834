"""Files that are read within the pipeline, made by a function: each call that is given it shares out samples."""

from pathlib import Path

import tensorflow as tf
from tensorflow import keras


def lines(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=False)
    rows = files.interleave(tf.data.TextLineDataset, num_parallel_calls=tf.data.AUTOTUNE)
    return rows.map(lambda line: (tf.strings.length(line)[None], 1.0))


def main():
    folder = Path("texts")
    data = lines(str(folder / "*.txt")).shuffle(100).batch(32)
    held = lines(str(folder / "held" / "*.txt"))
    with strategy.scope():
        model = keras.Sequential([keras.layers.Dense(1)])
        model.compile("sgd", "mse")
    model.fit(
        x=(data.prefetch(2) if folder.exists() else data).with_options(options),
        epochs=2,
        verbose=1 if strategy.extended.should_checkpoint else 0,
    )
    scores = model.predict(
        held.batch(32).with_options(options), verbose="auto" if strategy.extended.should_checkpoint else 0
    )
    if strategy.extended.should_checkpoint:
        print(scores.mean())


if __name__ == "__main__":
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    keras.utils.set_random_seed(1)
    main()
