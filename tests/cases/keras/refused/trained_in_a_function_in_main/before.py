"""A library calls a function inside the main function, which trains with what it draws."""

import numpy as np
import optuna
from tensorflow import keras


def main():
    x, y = np.load("x.npy"), np.load("y.npy")

    def objective(trial):
        model = keras.Sequential([keras.layers.Dense(trial.suggest_int("units", 8, 64)), keras.layers.Dense(1)])
        model.compile("adam", "mse")
        return model.fit(x, y, epochs=5).history["loss"][-1]

    study = optuna.create_study()
    study.optimize(objective, n_trials=10)
    model = keras.Sequential([keras.layers.Dense(study.best_params["units"]), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y, epochs=50)


main()
