"""Pictures that rank 0 has drawn are read again."""

import matplotlib.image as mpimg
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import Image, display
from tensorflow import keras

x, y = np.load("x.npy"), np.load("y.npy")
model = keras.Sequential([keras.layers.Dense(1, input_shape=(4,))])
model.compile("sgd", "mse")
keras.utils.plot_model(model, to_file="model.png")
display(Image(filename="model.png"))
history = model.fit(x, y, epochs=2)
plt.plot(history.history["loss"])
plt.savefig("loss.png")
curve = mpimg.imread("loss.png")
print(curve.shape)
