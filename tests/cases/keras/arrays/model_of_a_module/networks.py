from tensorflow import keras


def build():
    model = keras.Sequential([keras.layers.Dense(1, input_shape=(8,))])
    model.compile("adam", loss="mse")
    return model
