import tensorflow as tf
from sklearn.datasets import load_iris

tf.keras.utils.set_random_seed(4)
x, y = load_iris(return_X_y=True)
x = x.astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(150).batch(30)
test = tf.data.Dataset.from_tensor_slices((x, y)).batch(50)
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu", input_shape=(4,)), tf.keras.layers.Dense(3)])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(inputs, labels):
    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(inputs, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(3):
    total = 0.0
    for inputs, labels in dataset:
        total += float(train_step(inputs, labels))
    accuracy.reset_state()
    for inputs, labels in test:
        accuracy(labels, model(inputs, training=False))
    print(f"epoch {epoch}: loss {total / len(dataset):.5f}, accuracy {float(accuracy.result()):.4f}")
model.save_weights("tape.h5")
