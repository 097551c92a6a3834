"""Recognise handwritten digits with a small convolutional network.

The data are scikit-learn's digits: 1,797 grey images of 8 x 8 pixels, ten classes. They come with scikit-learn, so
nothing is downloaded. Needs TensorFlow and scikit-learn; takes some ten seconds on one CPU core.

    python digits_cnn.py
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.callbacks import EarlyStopping, ModelCheckpoint, ReduceLROnPlateau

keras.utils.set_random_seed(0)

# Hyper-parameters
epochs = 15
batch_size = 64

# Data: pixel values go from 0 to 16, bring them to [0, 1] and add the channel dimension
digits = load_digits()
images = digits.images[..., np.newaxis].astype("float32") / 16
labels = digits.target
x_train, x_test, y_train, y_test = train_test_split(images, labels, test_size=0.2, random_state=0)

model = keras.Sequential()
model.add(layers.Conv2D(32, 3, padding="same", activation="relu", input_shape=(8, 8, 1)))
model.add(layers.Conv2D(64, 3, padding="same", activation="relu"))
model.add(layers.MaxPooling2D())  # 8 x 8 -> 4 x 4
model.add(layers.Flatten())
model.add(layers.Dense(64, activation="relu"))
model.add(layers.Dropout(0.2))
model.add(layers.Dense(10, activation="softmax"))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])

# Train, and keep the weights that do best on a tenth of the training data
callbacks = [
    ReduceLROnPlateau(patience=2, factor=0.5, verbose=1),
    EarlyStopping(patience=5),
    ModelCheckpoint("digits_cnn.h5", save_best_only=True, save_weights_only=True),
]
history = model.fit(
    x_train, y_train, batch_size=batch_size, epochs=epochs, validation_split=0.1, callbacks=callbacks, verbose=2
)
print("best validation accuracy:", max(history.history["val_accuracy"]))

# Test
model.load_weights("digits_cnn.h5")
loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
print(f"test loss {loss:.4f} accuracy {accuracy:.4f}")

wrong = np.flatnonzero(model.predict(x_test, verbose=0).argmax(axis=1) != y_test)
print(f"{len(wrong)} of {len(y_test)} digits are taken for another")

model.save("digits_cnn.keras")
print("saved to digits_cnn.keras")
