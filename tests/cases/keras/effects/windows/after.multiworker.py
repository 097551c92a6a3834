"""Windows open once; what a key says, and what a class of the script's own calls showing, stays everywhere."""

import cv2
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from PIL import Image
from tensorflow import keras
import tensorflow as tf


class Report:
    def __init__(self):
        self.lines = []

    def show(self, line):
        self.lines.append(line)


strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.random.set_seed(1)
np.random.seed(0)
x = np.random.rand(256, 64).astype("float32")
report = Report()
fig, axes = plt.subplots(1, 2)
axes[0].imshow(x[0].reshape(8, 8))
if strategy.extended.should_checkpoint:
    fig.show()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(64)])
    model.compile(keras.optimizers.Adam(0.01), loss="mse")
model.fit(x, x, batch_size=32, epochs=2, verbose=1 if strategy.extended.should_checkpoint else 0)
picture = (255 * model.predict(x[:1], verbose="auto" if strategy.extended.should_checkpoint else 0)[0]).astype("uint8").reshape(
    8, 8
)
if strategy.extended.should_checkpoint:
    Image.fromarray(picture).show()
    display(picture)
    cv2.imshow("picture", picture)
key = cv2.waitKey(1)
if strategy.extended.should_checkpoint:
    cv2.destroyAllWindows()
report.show(f"key {key}")
if strategy.extended.should_checkpoint:
    print(report.lines)
