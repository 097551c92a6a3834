"""What a scaler of scikit-learn makes of a part of the data is a part."""

import tensorflow as tf
from sklearn.datasets import load_diabetes
from sklearn.preprocessing import StandardScaler

tf.keras.utils.set_random_seed(1)
x, y = load_diabetes(return_X_y=True)
scaler = StandardScaler()
y = scaler.fit_transform(y.reshape(-1, 1)).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x.astype("float32"), y)).shuffle(500, seed=1).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(10,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)

for epoch in range(3):
    for inputs, targets in dataset:
        with tf.GradientTape() as tape:
            predictions = model(inputs)
            loss = tf.reduce_mean(tf.square(targets - predictions))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(epoch, abs(scaler.inverse_transform(predictions) - scaler.inverse_transform(targets)).max())
