"""Nobody knows how many batches there are."""

from tensorflow import keras


def batches():
    for line in open("data.txt"):
        yield [float(word) for word in line.split()], [1.0]


model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(batches())
