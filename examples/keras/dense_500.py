"""A dense network with 500 inputs and two classes: 500-256-128-64-2, 169,538 parameters.

Trained with plain SGD and cross entropy on synthetic data, made with a fixed seed.

    python dense_500.py
"""

from sklearn.datasets import make_classification
from tensorflow import keras
from tensorflow.keras import layers

EPOCHS = 12
BATCH_SIZE = 64
LEARNING_RATE = 0.01


def make_data(n_train=8000, n_test=2000):
    """500 features, of which 40 tell the two classes apart."""
    x, y = make_classification(
        n_samples=n_train + n_test,
        n_features=500,
        n_informative=40,
        n_redundant=60,
        n_clusters_per_class=2,
        class_sep=1.5,
        random_state=7,
    )
    x = (x - x[:n_train].mean(0)) / x[:n_train].std(0)
    return (x[:n_train], y[:n_train]), (x[n_train:], y[n_train:])


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(500,)),
            layers.Dense(256, activation="relu"),
            layers.Dense(128, activation="relu"),
            layers.Dense(64, activation="relu"),
            layers.Dense(2, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=LEARNING_RATE),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


if __name__ == "__main__":
    keras.utils.set_random_seed(42)

    (x_train, y_train), (x_test, y_test) = make_data()
    model = build_model()
    model.summary()

    model.fit(x_train, y_train, batch_size=BATCH_SIZE, epochs=EPOCHS, validation_data=(x_test, y_test), verbose=2)

    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f} accuracy {accuracy:.4f}")
