"""A shuffled pipeline with a mapped function, batches of a fixed size, Adam with weight decay."""
import tensorflow as tf
from sklearn.datasets import load_iris

tf.keras.utils.set_random_seed(11)
iris = load_iris()
features = iris.data.astype("float32")
data = tf.data.Dataset.from_tensor_slices((features, iris.target))
data = data.shuffle(150, seed=4, reshuffle_each_iteration=False)
test = data.take(30).batch(10)
train = data.skip(30).shuffle(120).map(lambda x, y: (x / 8.0, y)).batch(12, drop_remainder=True).prefetch(2)

inputs = tf.keras.Input((4,))
hidden = tf.keras.layers.Dense(24, activation="tanh")(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(3)(hidden))
model.compile(
    tf.keras.optimizers.AdamW(0.01, weight_decay=1e-3),
    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
model.fit(train, epochs=2, validation_data=test)
print("test:", [round(value, 4) for value in model.evaluate(test, verbose=0)])
print("predicted:", model.predict(test, verbose=0).round(4).tolist()[:3])
