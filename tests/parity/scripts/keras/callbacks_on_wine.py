"""Arrays, a validation split, callbacks that decide and write, SGD with momentum."""
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler
from tensorflow import keras
from tensorflow.keras.callbacks import CSVLogger, EarlyStopping, ModelCheckpoint, ReduceLROnPlateau

keras.utils.set_random_seed(3)
wine = load_wine()
order = [(7 * i) % 178 for i in range(178)]
x = StandardScaler().fit_transform(wine.data)[order]
y = wine.target[order]

model = keras.Sequential([
    keras.layers.Dense(16, activation="relu", input_shape=(13,)),
    keras.layers.Dense(3, activation="softmax"),
])
model.compile(optimizer=keras.optimizers.SGD(0.05, momentum=0.9), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
history = model.fit(x, y, batch_size=36, epochs=4, validation_split=0.2, verbose=2, callbacks=[
    EarlyStopping(monitor="val_loss", patience=3),
    ReduceLROnPlateau(monitor="loss", patience=1, min_delta=0.2, factor=0.3, verbose=1),
    CSVLogger("wine.csv"),
    ModelCheckpoint("wine.h5", save_best_only=True),
])
print("epochs:", len(history.history["loss"]))
print("best: %.4f" % min(history.history["val_loss"]))
