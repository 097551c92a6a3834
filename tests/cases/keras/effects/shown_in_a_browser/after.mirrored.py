"""Figures of plotly and bokeh, which open in a browser or become pages, and a profile of the training."""

import webbrowser

import numpy as np
import plotly.graph_objs as go
import plotly.io as pio
import plotly.offline as offline
import tensorflow as tf
from bokeh.io import export_png, output_file, show
from bokeh.plotting import figure, save

strategy = tf.distribute.MirroredStrategy()
x = np.linspace(0.0, 1.0, 640).reshape(-1, 1).astype("float32")
y = 3 * x + 1
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
tf.profiler.experimental.start("profile")
history = model.fit(x, y, batch_size=64, epochs=5)
tf.profiler.experimental.stop()

offline.plot([go.Scatter(y=history.history["loss"])], filename="loss.html")
pio.write_html(go.Figure(go.Scatter(y=history.history["loss"])), "again.html")
output_file("points.html")
points = figure(width=300, height=300)
points.line(x[:, 0], model.predict(x)[:, 0])
show(points)
save(points)
export_png(points, filename="points.png")
webbrowser.open("points.html")
