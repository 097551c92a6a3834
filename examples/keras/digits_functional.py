"""Recognise handwritten digits: functional API, tf.data, Adam.

The data are scikit-learn's digits: 1,797 grey images of 8 x 8 pixels, ten classes. They come with scikit-learn, so
nothing is downloaded.

    python digits_functional.py
"""

import tensorflow as tf
from sklearn.datasets import load_digits
from tensorflow import keras


def get_compiled_model():
    # Make a simple 2-layer densely-connected neural network.
    inputs = keras.Input(shape=(64,))
    x = keras.layers.Dense(256, activation="relu")(inputs)
    x = keras.layers.Dense(256, activation="relu")(x)
    outputs = keras.layers.Dense(10)(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy()],
    )
    return model


def get_dataset():
    batch_size = 32

    # Pixel values go from 0 to 16: bring them to [0, 1]
    images, labels = load_digits(return_X_y=True)
    images = images.astype("float32") / 16
    x_train, x_val, x_test = images[:1200], images[1200:1500], images[1500:]
    y_train, y_val, y_test = labels[:1200], labels[1200:1500], labels[1500:]
    return (
        tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(batch_size),
        tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(batch_size),
        tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(batch_size),
    )


model = get_compiled_model()

# Train the model
train_dataset, val_dataset, test_dataset = get_dataset()
model.fit(train_dataset, epochs=5, validation_data=val_dataset)

# Test the model
model.evaluate(test_dataset)
