"""Figures of plotly and bokeh, which open in a browser or become pages, and a profile of the training."""

import webbrowser

import numpy as np
import plotly.graph_objs as go
import plotly.io as pio
import plotly.offline as offline
import tensorflow as tf
from bokeh.io import export_png, output_file, show
from bokeh.plotting import figure, save
import horovod.tensorflow.keras as hvd

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
if gpus:
    tf.config.set_visible_devices(gpus[hvd.local_rank()], "GPU")
x = np.linspace(0.0, 1.0, 640).reshape(-1, 1).astype("float32")
y = 3 * x + 1
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD()), "mse")
if hvd.rank() == 0:
    tf.profiler.experimental.start("profile")
if 64 % hvd.size() != 0:
    raise SystemExit(f"batch size 64 cannot be shared out over {hvd.size()} processes")
shard = np.arange(hvd.rank(), hvd.rank() + len(x), hvd.size()) % len(x)
callbacks = [
    hvd.callbacks.BroadcastGlobalVariablesCallback(0),
    hvd.callbacks.MetricAverageCallback(),
]
history = model.fit(
    x[shard], y[shard], batch_size=64 // hvd.size(), epochs=5, callbacks=callbacks, verbose=1 if hvd.rank() == 0 else 0
)
if hvd.rank() == 0:
    tf.profiler.experimental.stop()

Scatter_result = go.Scatter(y=history.history["loss"])
if hvd.rank() == 0:
    offline.plot([Scatter_result], filename="loss.html")
Figure_result = go.Figure(go.Scatter(y=history.history["loss"]))
if hvd.rank() == 0:
    pio.write_html(Figure_result, "again.html")
output_file("points.html")
points = figure(width=300, height=300)
points.line(x[:, 0], model.predict(x, verbose="auto" if hvd.rank() == 0 else 0)[:, 0])
if hvd.rank() == 0:
    show(points)
    save(points)
    export_png(points, filename="points.png")
    webbrowser.open("points.html")
