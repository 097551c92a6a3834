"""What is recognised in Keras scripts: by value, whatever it is called and wherever it comes from."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from corro.anatomy.fits import Anatomy, FitData
from corro.flow.facts import Facts, Unit
from corro.flow.interpreter import interpret
from corro.frontends.keras.names import canonical
from corro.frontends.keras.presence import chosen_backend, distributed_by, only_keras_3
from corro.frontends.keras.recognise import recognise, semantics
from corro.names import Names
from corro.source import SourceFile

HEAD = """
    import numpy as np
    import tensorflow as tf
    from tensorflow import keras
    from tensorflow.keras import layers, models
    x, y = np.ones((8, 2)), np.ones(8)
"""


def source(text: str) -> SourceFile:
    return SourceFile.from_text(textwrap.dedent(text), Path("train.py"))


def read(text: str, head: str = HEAD) -> tuple[Facts, Anatomy]:
    file = source(textwrap.dedent(head) + textwrap.dedent(text))
    facts = interpret(Unit(file, Names(file), "__main__"), semantics(), lambda unit, module: None)
    return facts, recognise(facts)


@pytest.mark.parametrize(
    "text",
    [
        "net = keras.Sequential([layers.Dense(1)])\nnet.fit(x, y)",
        "net = models.Sequential()\nnet.add(layers.Dense(1))\nnet.fit(x, y)",
        "i = keras.Input((2,))\nkeras.Model(i, layers.Dense(1)(i)).fit(x, y)",
        "class Net(tf.keras.Model):\n    pass\nNet().fit(x, y)",
        "def make():\n    return keras.Sequential([layers.Dense(1)])\nmake().fit(x, y)",
        "class T:\n    def __init__(self):\n        self.m = keras.Sequential()\n"
        "    def go(self):\n        self.m.fit(x, y)\nT().go()",
        "keras.models.load_model('m.h5').fit(x, y)",
        "tf.keras.applications.ResNet50(weights=None).fit(x, y)",
        "keras.models.clone_model(keras.Sequential()).fit(x, y)",
    ],
)
def test_a_model_is_known_by_what_made_it(text: str) -> None:
    _, anatomy = read(text)
    assert [site.data for site in anatomy.fits] == [FitData.ARRAYS]


@pytest.mark.parametrize(
    "text",
    [
        "from sklearn.svm import SVC\nmodel = SVC()\nmodel.fit(x, y)",
        "generator = keras.preprocessing.image.ImageDataGenerator()\ngenerator.fit(x)",
        "from sklearn.preprocessing import StandardScaler\nStandardScaler().fit(x)",
        "class Model:\n    def fit(self, x, y):\n        pass\nmodel = Model()\nmodel.fit(x, y)",
    ],
)
def test_another_fit_is_none(text: str) -> None:
    _, anatomy = read(text)
    assert anatomy.fits == ()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("x, y", FitData.ARRAYS),
        ("[x, x], {'a': y}", FitData.ARRAYS),
        ("tf.data.Dataset.from_tensor_slices((x, y)).batch(4)", FitData.PIPELINE),
        ("keras.preprocessing.image.ImageDataGenerator().flow(x, y)", FitData.BATCHES),
        ("batches()", FitData.BATCHES),
        ("open('x')", FitData.UNKNOWN),
    ],
)
def test_what_a_model_is_fitted_to(data: str, kind: FitData) -> None:
    _, anatomy = read(f"""
        def batches():
            yield x, y
        net = keras.Sequential([layers.Dense(1)])
        net.fit({data})
    """)
    assert [site.data for site in anatomy.fits] == [kind]


def test_a_pipeline_is_known_by_its_stages() -> None:
    facts, _ = read("""
        data = tf.data.Dataset.from_tensor_slices((x, y))
        data = data.shuffle(10).map(lambda a, b: (a, b))
        data = data.batch(4).prefetch(1)
        data
    """)
    last = [node for node in ast.walk(next(iter(facts.units.values())).source.tree) if isinstance(node, ast.Expr)][-1]
    names = [stage.name for stage in facts.values[last.value].items]
    assert names == ["from_tensor_slices", "shuffle", "map", "batch", "prefetch"]


def test_what_makes_variables_is_known_in_the_functional_style() -> None:
    _, anatomy = read("""
        tokens = layers.Input((None,))
        hidden = layers.Embedding(10, 2)(tokens)
        hidden = tf.reduce_mean(hidden, axis=1)
        net = models.Model(tokens, layers.Dense(1)(hidden))
        net.compile("adam", "mse")
        net.fit(x, y)
        print(x.mean())
    """)
    assert sorted(ast.unparse(call.func) for call in anatomy.builds) == [
        "layers.Dense", "layers.Dense(1)", "layers.Embedding", "layers.Embedding(10, 2)", "layers.Input",
        "models.Model", "net.compile", "tf.reduce_mean",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("tensorflow.keras.models.Sequential", "keras.models.Sequential"),
        ("keras.Sequential", "keras.models.Sequential"),
        ("tf_keras.layers.Dense", "keras.layers.Dense"),
        ("tensorflow.python.keras.Model", "keras.models.Model"),
        ("tensorflow.compat.v1.keras.optimizers.legacy.Adam", "keras.optimizers.Adam"),
        ("keras_preprocessing.image.ImageDataGenerator", "keras.preprocessing.image.ImageDataGenerator"),
        ("numpy.ones", "numpy.ones"),
    ],
)
def test_one_name_for_what_several_packages_offer(name: str, known: str) -> None:
    assert canonical(name) == known


def test_keras_3_is_told_by_what_only_it_has() -> None:
    assert only_keras_3([source("import keras\nkeras.ops.ones(3)\n")])
    assert only_keras_3([source("import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\n")])
    assert not only_keras_3([source("import keras\nkeras.Sequential()\n")])
    assert chosen_backend([source("import os\nos.environ['KERAS_BACKEND'] = 'jax'\nimport keras\n")]) == "jax"
    assert not chosen_backend([source("import keras\n")])


@pytest.mark.parametrize(
    "text",
    [
        "import tensorflow as tf\ns = tf.distribute.MirroredStrategy()\n",
        "from tensorflow.distribute import MultiWorkerMirroredStrategy\n",
        "import keras\nd = keras.distribution.DataParallel()\n",
        "from keras.utils import multi_gpu_model\n",
    ],
)
def test_what_distributes_already_is_said(text: str) -> None:
    script = source(text)
    assert distributed_by(script, script.nodes) is not None


def test_own_callbacks_are_entered() -> None:
    facts, _ = read("""
        class Say(keras.callbacks.Callback):
            def on_epoch_end(self, epoch, logs=None):
                print(epoch, self.model)
        net = keras.Sequential([layers.Dense(1)])
        net.fit(x, y, callbacks=[Say()])
    """)
    assert any(fact.name == "print" for fact in facts.calls)
