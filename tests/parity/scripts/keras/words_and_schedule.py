"""An embedding, whose gradients are sparse, a recurrent layer, a schedule, TensorBoard, a learning rate by epoch."""
import numpy as np
import tensorflow as tf

tf.random.set_seed(1)
np.random.seed(1)
tf.keras.utils.set_random_seed(1)
words = np.random.randint(1, 50, (120, 8))
labels = (words.max(1) > 46).astype("int32")

model = tf.keras.Sequential([
    tf.keras.layers.Embedding(50, 8),
    tf.keras.layers.LSTM(6, dropout=0.1),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
rate = tf.keras.optimizers.schedules.ExponentialDecay(0.02, decay_steps=5, decay_rate=0.9)
model.compile(tf.keras.optimizers.RMSprop(rate), "binary_crossentropy", metrics=["accuracy"])
model.fit(words, labels, batch_size=20, epochs=2, validation_split=1 / 6, verbose=2, callbacks=[tf.keras.callbacks.TensorBoard("logs")])
print("positive: %.3f" % model.predict(words, verbose=0).mean())
