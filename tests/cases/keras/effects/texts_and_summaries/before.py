"""What gives a text writes nothing; a summary that is printed is printed once; axes are set up once."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile(optimizer=keras.optimizers.Adam(), loss="mse")
print(model.summary())
history = model.fit(np.zeros((64, 4)), np.zeros(64), epochs=2)
made_of = model.to_json()
table = pd.DataFrame(history.history)
shown = table.to_csv()
table.to_json("history.json")
plt.plot(history.epoch, table["loss"])
plt.gca().xaxis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
plt.savefig("loss.png")
