"""Windows open once; what a key says, and what a class of the script's own calls showing, stays everywhere."""

import cv2
import matplotlib.pyplot as plt
import numpy as np
from IPython.display import display
from PIL import Image
from tensorflow import keras
import horovod.tensorflow.keras as hvd
import tensorflow as tf


class Report:
    def __init__(self):
        self.lines = []

    def show(self, line):
        self.lines.append(line)


hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
np.random.seed(0)
x = np.random.rand(256, 64).astype("float32")
report = Report()
fig, axes = plt.subplots(1, 2)
axes[0].imshow(x[0].reshape(8, 8))
if hvd.rank() == 0:
    fig.show()
model = keras.Sequential([keras.layers.Dense(16, activation="relu"), keras.layers.Dense(64)])
model.compile(hvd.DistributedOptimizer(keras.optimizers.Adam(0.01)), loss="mse")
if 32 % hvd.size() != 0:
    raise SystemExit(f"batch size 32 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
model.fit(
    x[shard], x[shard], batch_size=32 // hvd.size(), epochs=2, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
picture = (255 * model.predict(x[:1], verbose="auto" if hvd.rank() == 0 else 0)[0]).astype("uint8").reshape(8, 8)
if hvd.rank() == 0:
    Image.fromarray(picture).show()
    display(picture)
    cv2.imshow("picture", picture)
key = cv2.waitKey(1)
if hvd.rank() == 0:
    cv2.destroyAllWindows()
report.show(f"key {key}")
if hvd.rank() == 0:
    print(report.lines)
