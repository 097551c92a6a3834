"""No seed anywhere: split, weights and order are other ones in each run; two models, one after the other, saved and loaded."""
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from tensorflow import keras

x, y = load_iris(return_X_y=True)
x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2)
for units in (8, 4):
    model = keras.Sequential([
        keras.layers.Dense(units, input_shape=(4,)), keras.layers.BatchNormalization(), keras.layers.ReLU(),
        keras.layers.Dense(3, activation="softmax"),
    ])
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x_train, y_train, batch_size=30, epochs=2, verbose=0)
    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"loss {loss:.4f}, accuracy {accuracy:.4f}, mean {np.mean(x_test):.4f}")
model.save("last.keras")
print(keras.models.load_model("last.keras").predict(x_test, verbose=0).shape)
