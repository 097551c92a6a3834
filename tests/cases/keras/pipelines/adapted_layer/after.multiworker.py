"""A layer that adapts to the data must see all of it, on every process."""

import tensorflow as tf
from tensorflow.keras import layers

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
train = tf.data.Dataset.from_tensor_slices((["good", "bad", "fine"] * 100, [1, 0, 1] * 100))
train = train.shuffle(300).batch(30)
for texts, labels in train.take(1):
    if strategy.extended.should_checkpoint:
        print(texts[0])
with strategy.scope():
    vectors = layers.TextVectorization(max_tokens=1000, output_sequence_length=4)
    vectors.adapt(train.map(lambda text, label: text))
    model = tf.keras.Sequential([vectors, layers.Embedding(1000, 8), layers.Flatten(), layers.Dense(1)])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(train, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
