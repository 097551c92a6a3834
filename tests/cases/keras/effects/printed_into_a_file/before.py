"""A file that is opened within a print or a save is opened by rank 0 alone; one that is opened by itself by everyone."""

import json

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
history = model.fit(np.zeros((64, 4)), np.zeros(64), epochs=2)
print(model.to_json(), file=open("model.json", "w"))
np.savetxt(open("weights.txt", "w"), model.get_weights()[0])
json.dump(history.history, open("history.json", "w"))
open("note.txt", "w").write("done\n")
