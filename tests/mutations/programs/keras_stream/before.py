import tensorflow as tf
from sklearn.datasets import load_iris

tf.keras.utils.set_random_seed(2)
iris = load_iris()
data = tf.data.Dataset.from_tensor_slices((iris.data[::5].astype("float32"), iris.target[::5]))
data = data.concatenate(tf.data.Dataset.from_tensor_slices((iris.data[1::2].astype("float32"), iris.target[1::2])))
data = data.take(96).shuffle(96).batch(8).repeat()

model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(4,)), tf.keras.layers.Dense(3)])
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(tf.keras.optimizers.SGD(0.05), loss, metrics=["accuracy"])
model.fit(data, steps_per_epoch=12, epochs=3, verbose=0)
print("loss %.5f" % model.evaluate(iris.data[::5].astype("float32"), iris.target[::5], verbose=0)[0])
