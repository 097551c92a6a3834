"""Pieces of scripts for Keras and TensorFlow. Names are fixed: ``x_train``, ``model``, ``history``, ``xb``, ``loss``."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from fuzz.grammar.piece import Piece, tags


@dataclass(frozen=True)
class Task:
    """What is learnt: the loss, what is reported with it, and how a tape's loop counts hits."""

    kind: str
    loss: str
    metrics: str
    units: int
    hits: str

    @staticmethod
    def every() -> tuple[Task, ...]:
        """All tasks."""
        return TASKS

    def resolved(self, chance: random.Random) -> Task:
        """The task with its metrics chosen."""
        return replace(self, metrics=chance.choice(self.metrics.split("|")))


_CE = "keras.losses.SparseCategoricalCrossentropy(from_logits=True)"
_BCE = "keras.losses.BinaryCrossentropy(from_logits=True)"
_ARGMAX = "int(tf.reduce_sum(tf.cast(tf.equal(tf.argmax(out, axis=1), yb), tf.int32)))"
_NEAR = "int(tf.reduce_sum(tf.cast(tf.abs(out - yb) < 0.5, tf.int32)))"
TASKS = (
    Task("cls", _CE, '["accuracy"]|[]|["accuracy", keras.metrics.SparseTopKCategoricalAccuracy(2)]', 3, _ARGMAX),
    Task("reg", '"mse"', '["mae"]|[]|[keras.metrics.RootMeanSquaredError()]', 1, _NEAR),
    Task("reg", "keras.losses.Huber()", '["mae"]|["mse"]', 1, _NEAR),
    Task("reg", '"mae"', "[]", 1, _NEAR),
    Task("bin", _BCE, '[keras.metrics.BinaryAccuracy(threshold=0.0)]|[keras.metrics.AUC(from_logits=True)]|[]', 1, _NEAR),
)  # fmt: skip

_X = 'rng = np.random.default_rng(0)\nx = rng.normal(size=($N + $M, 6)).astype("float32")\n'
_SPLIT = "x_train, y_train, x_test, y_test = x[:$N], y[:$N], x[$N:], y[$N:]\n"
DATA = (
    Piece("classes", data=_X + 'y = <<(x[:, 0] > 0).astype("int64") + (x[:, 1] > 0.5) || np.argmax(x[:, :3], axis=1)>>\n' + _SPLIT, tags=tags("vec", "cls"), weight=3),
    Piece("numbers", data=_X + "y = (x[:, :2].sum(axis=1, keepdims=True)).astype(\"float32\")\n" + _SPLIT, tags=tags("vec", "reg"), weight=2),
    Piece("halves", data=_X + 'y = (x[:, :1] > 0).astype("float32")\n' + _SPLIT, tags=tags("vec", "bin"), weight=2),
    Piece("images", data='rng = np.random.default_rng(0)\nx = rng.random(size=($N + $M, 8, 8, 1)).astype("float32")\ny = (x.mean(axis=(1, 2, 3)) > 0.5).astype("int64")\n' + _SPLIT, tags=tags("img", "cls")),
)  # fmt: skip

_IN = "keras.layers.Input(<<shape=(6,) || (6,)>>)"
MODELS = (
    Piece("sequential", build='model = keras.Sequential([keras.layers.Dense(8, activation="<<relu || tanh>>", input_shape=(6,)), keras.layers.Dense($UNITS)])\n', needs=tags("vec"), weight=3),
    Piece("added", build=f'model = keras.Sequential()\nmodel.add({_IN})\nmodel.add(keras.layers.Dense(8, activation="relu"))\nmodel.add(keras.layers.Dense($UNITS))\n', needs=tags("vec")),
    Piece("functional", build=f'inputs = {_IN}\nh = keras.layers.Dense(8, activation="tanh")(inputs)\nh = keras.layers.LayerNormalization()(h)\nmodel = keras.Model(inputs, keras.layers.Dense($UNITS)(h))\n', needs=tags("vec"), weight=2),
    Piece("operations between layers", build=f'''inputs = {_IN}
h = keras.layers.Dense(8, activation="tanh")(inputs)
h = <<h - tf.reduce_mean(h, axis=-1, keepdims=True) || h - tf.reduce_mean(h, axis=0) || tf.nn.softmax(h) || tf.nn.softmax(h, axis=0) || h / (1.0 + tf.norm(h, axis=1, keepdims=True)) || tf.concat([h, tf.square(h)], axis=-1) || tf.concat(tf.split(h, 2, axis=-1), axis=-1) || tf.reshape(h, [-1, 4, 2])[:, 0] || tf.reshape(h, [tf.shape(h)[0], 2, 4])[:, 1] || h[:, :4] || h - h[:1] || tf.reverse(h, [0]) || tf.transpose(tf.transpose(h)) || tf.math.cumsum(h, axis=1) || tf.expand_dims(tf.reduce_max(h, axis=1), 1) * h || tf.einsum("bi,bj->bj", h, h) || keras.backend.l2_normalize(h, axis=-1) || keras.backend.l2_normalize(h, axis=0) || tf.math.cumsum(h)>>
model = keras.Model(inputs, keras.layers.Dense($UNITS)(h))
<<|| model.add_loss(0.01 * tf.reduce_mean(tf.square(h)))|| model.add_loss(0.01 * tf.reduce_sum(tf.square(h)))|| model.add_loss(0.01 * tf.reduce_mean(tf.reduce_sum(tf.abs(h), axis=-1)))|| model.add_loss(tf.sqrt(tf.reduce_mean(tf.square(h))))|| model.add_loss(0.01 * tf.reduce_sum(tf.reduce_mean(tf.square(h), axis=0)))>>
''', needs=tags("vec"), weight=1.5),
    Piece("regularised", build='model = keras.Sequential([keras.layers.Dense(8, activation="relu", input_shape=(6,), kernel_regularizer=keras.regularizers.l2(1e-3)), keras.layers.Dense($UNITS)])\n', needs=tags("vec")),
    Piece("subclass", defs='''class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = keras.layers.Dense(8, activation="relu")
        self.out = keras.layers.Dense($UNITS)

    def call(self, x):
        return self.out(self.hidden(x))
''', build="model = Net()\n", needs=tags("vec"), weight=1.5),
    Piece("function", defs='''def build():
    inputs = keras.Input(shape=(6,))
    h = keras.layers.Dense(8, activation="relu")(inputs)
    return keras.Model(inputs, keras.layers.Dense($UNITS)(h))
''', build="model = build()\n", needs=tags("vec"), weight=1.5),
    Piece("conv", build='model = keras.Sequential([keras.layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)), keras.layers.<<Flatten() || GlobalAveragePooling2D()>>, keras.layers.Dense($UNITS)])\n', needs=tags("img")),
)  # fmt: skip
OPTIMIZERS = (
    Piece("sgd", build="keras.optimizers.SGD(<<0.05 || learning_rate=0.05 || 0.02, momentum=0.9>>)", weight=3),
    Piece("adam", build="keras.optimizers.Adam(<<0.01 || learning_rate=1e-3>>)", weight=2),
    Piece("decayed", build="keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.05, 4, 0.8))"),
    Piece("clipped", build="keras.optimizers.SGD(0.05, <<clipnorm=1.0 || clipvalue=0.1>>)", weight=0.6),
    Piece("rmsprop", build="keras.optimizers.RMSprop(0.005)"),
)

_COMPILE = "model.compile(optimizer=$OPTIMIZER, loss=$LOSS, metrics=$METRICS)\n"
_TAPE = """train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch($B)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch($B)
optimizer = $OPTIMIZER
loss_fn = keras.losses.get($LOSS) if isinstance($LOSS, str) else $LOSS
"""
LOOPS = (
    Piece("fit", build=_COMPILE, before="history = model.fit(x_train, y_train, batch_size=$B, epochs=$E, shuffle=False, verbose=0<<|| , validation_data=(x_test, y_test)>>, callbacks=[$CALLBACKS])\n", tags=tags("fit"), weight=4),
    Piece("fit with validation", build=_COMPILE, before="history = model.fit(x_train, y_train, $B, $E, verbose=0, shuffle=False, validation_data=(x_test, y_test), callbacks=[$CALLBACKS])\n", tags=tags("fit"), weight=3),
    Piece("fit split", build=_COMPILE, before="history = model.fit(x_train, y_train, batch_size=$B, epochs=$E, shuffle=False, verbose=0, validation_split=0.25, callbacks=[$CALLBACKS])\n", tags=tags("fit", "split")),
    Piece("fit weights", build=_COMPILE + "weights = np.linspace(0.5, 1.5, len(x_train))\n", before="history = model.fit(x_train, y_train, batch_size=$B, epochs=$E, shuffle=False, verbose=0, sample_weight=weights, callbacks=[$CALLBACKS])\n", tags=tags("fit")),
    Piece("fit data set", build=_COMPILE + "train = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch($B<<|| , drop_remainder=True>>)\n", before="history = model.fit(train, epochs=$E, verbose=0, callbacks=[$CALLBACKS])\n", tags=tags("fit"), weight=2),
    Piece("fit by epoch", build=_COMPILE, before="for epoch in range($E):\n    history = model.fit(x_train, y_train, batch_size=$B, shuffle=False, verbose=0, callbacks=[$CALLBACKS])\n    print(epoch, round(history.history[\"loss\"][0], 4))\n", tags=tags("fit")),
    Piece("batches", build=_COMPILE, before="for epoch in range($E):\n    for start in range(0, $N, $B):\n        loss = model.train_on_batch(x_train[start : start + $B], y_train[start : start + $B], return_dict=True)[\"loss\"]\n    print(epoch, round(float(loss), 4))\n", tags=tags("fit"), weight=0.5),
    Piece("tape", build=_TAPE, before="for epoch in range($E):\n$STARTS    for step, (xb, yb) in enumerate(train):\n        with tf.GradientTape() as tape:\n            out = model(xb, training=True)\n            loss = <<loss_fn(yb, out) || tf.reduce_mean(loss_fn(yb, out))>>\n        grads = tape.gradient(loss, model.trainable_variables)\n        optimizer.apply_gradients(zip(grads, model.trainable_variables))\n$STEPS$REPORTS", tags=tags("tape"), weight=3),
    Piece("tape function", defs="@tf.function\ndef train_step(xb, yb):\n    with tf.GradientTape() as tape:\n        out = model(xb, training=True)\n        loss = loss_fn(yb, out)\n    grads = tape.gradient(loss, model.trainable_weights)\n    optimizer.apply_gradients(zip(grads, model.trainable_weights))\n    return out, loss\n", build=_TAPE, before="for epoch in range($E):\n$STARTS    for step, (xb, yb) in enumerate(train):\n        out, loss = train_step(xb, yb)\n$STEPS$REPORTS", tags=tags("tape"), weight=2),
)  # fmt: skip

CALLBACKS = (
    Piece("stop early", batch="keras.callbacks.EarlyStopping(<<monitor=\"loss\", || >>patience=1)"),
    Piece("checkpoint", batch='keras.callbacks.ModelCheckpoint("best.h5", monitor="loss", save_best_only=True, save_weights_only=True)'),
    Piece("plateau", batch='keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=0, min_delta=0.1)'),
    Piece("schedule", batch="keras.callbacks.LearningRateScheduler(lambda epoch<<|| , lr>>: 0.05 * 0.5**epoch)"),
    Piece("csv", batch='keras.callbacks.CSVLogger("log.csv")'),
    Piece("lambda", batch='keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, round(logs["loss"], 4)))'),
    Piece("own", defs='''class Report(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print("epoch", epoch, "loss", round(logs["loss"], 4))
''', batch="Report()", weight=1.5),
    Piece("own batches", defs='''class Batches(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.count = 0

    def on_train_batch_end(self, batch, logs=None):
        self.count += 1
''', before="counter = Batches()\n", batch="counter", finish='print("batches", counter.count)\n'),
    Piece("rate", defs='''class Rate(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 1:
            self.model.optimizer.learning_rate.assign(0.01)
''', batch="Rate()", weight=0.5),
    Piece("stop nan", batch="keras.callbacks.TerminateOnNaN()", weight=0.5),
)  # fmt: skip

STEPS = (
    Piece(
        "sum",
        epoch="total = 0.0\n",
        step="total += <<float(loss) || loss.numpy()>>\n",
        judged='print(epoch, "loss", total / (step + 1))\n',
        weight=2,
    ),
    Piece(
        "by samples",
        epoch="total, count = 0.0, 0\n",
        step="total += float(loss) * len(xb)\ncount += <<len(xb) || xb.shape[0]>>\n",
        judged='print(f"epoch {epoch} loss {total / count:.4f}")\n',
        weight=2,
    ),
    Piece(
        "metric",
        before="mean_loss = keras.metrics.Mean()\n",
        step="mean_loss.update_state(loss)\n",
        judged='print("mean", float(mean_loss.result()))\nmean_loss.reset_states()\n',
        weight=2,
    ),
    Piece(
        "list",
        epoch="losses = []\n",
        step="losses.append(<<float(loss) || loss.numpy()>>)\n",
        judged='print("losses", np.mean(losses))\n',
        weight=1.5,
    ),
    Piece("hits", epoch="hits = 0\n", step="hits += $HITS\n", judged='print("hits", hits / len(x_train))\n', weight=2),
    Piece("every k", step='if step % 2 == 0:\n    print("step", step, "loss", float(loss))\n', weight=1.5),
    Piece("seen", before="seen = 0\n", step="seen += len(xb)\n", judged='print("seen", seen)\n'),
    Piece("last", judged='print("last", round(float(loss), 4))\n'),
    Piece(
        "history",
        imports="import json",
        before="curve = []\n",
        step="curve.append(float(loss))\n",
        finish='with open("curve.json", "w") as f:\n    json.dump(curve, f)\n',
    ),
)
REPORTS = (
    Piece("test hits", judged='test_hits = 0\nfor xb, yb in test:\n    out = model(xb)\n    test_hits += $HITS\nprint("test", test_hits / len(x_test))\n', weight=2),
    Piece("test loss", judged='test_total, batches = 0.0, 0\nfor xb, yb in test:\n    test_total += float(tf.reduce_mean(loss_fn(yb, model(xb))))\n    batches += 1\nprint(f"test {test_total / batches:.4f}")\n', weight=2),
    Piece("whole test", judged='print("whole", float(tf.reduce_mean(loss_fn(y_test, model(x_test)))))\n'),
    Piece("best", before='best = float("inf")\n', judged='value = float(tf.reduce_mean(loss_fn(y_test, model(x_test))))\nif value < best:\n    best = value\n    model.save_weights("best.h5")\n'),
    Piece("rate", judged="optimizer.learning_rate.assign(0.05 / (epoch + 1))\n", weight=0.4),
)  # fmt: skip
AFTER = (
    Piece("history", finish="print({k: [round(float(v), 4) for v in vs] for k, vs in history.history.items()})\n", needs=tags("fit"), weight=3),
    Piece("history json", imports="import json", finish='with open("history.json", "w") as f:\n    json.dump({k: [float(v) for v in vs] for k, vs in history.history.items()}, f)\n', needs=tags("fit"), weight=1.5),
    Piece("last of history", finish='print("final", round(history.history["loss"][-1], 4))\n', needs=tags("fit")),
    Piece("evaluate", finish='print("evaluation", model.evaluate(x_test, y_test, verbose=0<<|| , batch_size=$B>>))\n', needs=tags("fit"), weight=3),
    Piece("evaluate training", finish='print("training", model.evaluate(x_train, y_train, verbose=0))\n', needs=tags("fit")),
    Piece("predict", finish='pred = model.predict(x_test, verbose=0)\nprint("predicted", pred.shape, round(float(pred.mean()), 4))\n', weight=1.5),
    Piece("accuracy", finish='print("accuracy", np.mean(model.predict(x_test, verbose=0).argmax(axis=1) == y_test))\n', needs=tags("cls"), weight=1.5),
    Piece("save", finish='model.save_weights("model.h5")\n', weight=2),
    Piece("arrays", finish='np.savez("weights.npz", *model.get_weights())\n'),
    Piece("norm", finish='print("norm", sum(float(np.abs(w).sum()) for w in model.get_weights()))\n', weight=1.5),
    Piece("parameters", finish='print("parameters", model.count_params())\n'),
    Piece("iterations", finish='print("steps", int(model.optimizer.iterations))\n', needs=tags("fit"), weight=0.5),
    Piece("rate", finish='print("rate", round(float(model.optimizer.learning_rate), 6))\n', needs=tags("fit"), weight=0.5),
    Piece("predictions file", finish='np.save("pred.npy", model.predict(x_test, verbose=0))\n'),
)  # fmt: skip
