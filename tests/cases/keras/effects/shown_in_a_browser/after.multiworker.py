"""Figures of plotly and bokeh, which open in a browser or become pages, and a profile of the training."""

import webbrowser

import numpy as np
import plotly.graph_objs as go
import plotly.io as pio
import plotly.offline as offline
import tensorflow as tf
from bokeh.io import export_png, output_file, show
from bokeh.plotting import figure, save

strategy = tf.distribute.MultiWorkerMirroredStrategy()
tf.keras.utils.set_random_seed(1)
x = np.linspace(0.0, 1.0, 640).reshape(-1, 1).astype("float32")
y = 3 * x + 1
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
if strategy.extended.should_checkpoint:
    tf.profiler.experimental.start("profile")
history = model.fit(x, y, batch_size=64, epochs=5, verbose=1 if strategy.extended.should_checkpoint else 0)
if strategy.extended.should_checkpoint:
    tf.profiler.experimental.stop()

Scatter_result = go.Scatter(y=history.history["loss"])
if strategy.extended.should_checkpoint:
    offline.plot([Scatter_result], filename="loss.html")
Figure_result = go.Figure(go.Scatter(y=history.history["loss"]))
if strategy.extended.should_checkpoint:
    pio.write_html(Figure_result, "again.html")
output_file("points.html")
points = figure(width=300, height=300)
points.line(x[:, 0], model.predict(x, verbose="auto" if strategy.extended.should_checkpoint else 0)[:, 0])
if strategy.extended.should_checkpoint:
    show(points)
    save(points)
    export_png(points, filename="points.png")
    webbrowser.open("points.html")
