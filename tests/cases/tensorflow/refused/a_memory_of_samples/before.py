"""What the model gave for each sample is kept in a variable, of which each process would fill another part."""

import numpy as np
import tensorflow as tf

x, y = np.load("x.npy"), np.load("y.npy")
data = tf.data.Dataset.from_tensor_slices((np.arange(len(x)), x, y)).shuffle(1000).batch(32)
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam(0.01)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
memory = tf.Variable(tf.zeros((len(x), 4)), trainable=False)

for epoch in range(3):
    for index, images, labels in data:
        with tf.GradientTape() as tape:
            logits = model(images)
            before = tf.gather(memory, index)
            loss = loss_object(labels, logits) + 0.1 * tf.reduce_mean(tf.square(logits - before))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        memory.scatter_nd_update(index[:, tf.newaxis], logits)
    print(epoch, float(loss))
