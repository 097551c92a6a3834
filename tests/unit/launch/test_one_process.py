"""Launches of one process with several devices: the program is started as it is, and given the devices."""

from __future__ import annotations

import os
import re
import signal
from typing import TYPE_CHECKING

import pytest

from waiting import LIMIT_SECONDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unit.launch.conftest import Program

ON_TENSORFLOW = "mirrored"
ON_JAX = pytest.param("keras-distribution", marks=pytest.mark.keras3)
both = pytest.mark.parametrize("program", [ON_TENSORFLOW, ON_JAX], indirect=True)


@both
def test_a_program_believes_to_be_the_script(program: Program) -> None:
    done = program.run(
        """
        print(__name__, __file__, sys.argv, os.getcwd(), sys.path[0], sep="|")
        print(sorted(name for name in globals() if not name.startswith("__")))
        """,
        "--lr",
        "two words",
        processes=3,
    )
    folder = program.folder
    seen, names = done.stdout.splitlines()
    said = ["__main__", str(program.script), "['train.py', '--lr', 'two words']", str(folder), str(folder)]
    assert seen.split("|") == said
    assert names == "['RANK', 'os', 'sys', 'time']"
    assert (done.stderr, done.returncode) == ("", 0)


@both
def test_the_exit_status_is_the_scripts(program: Program) -> None:
    assert program.run("sys.exit(3)").returncode == 3


@both
def test_killed_by_a_signal(program: Program) -> None:
    assert program.run("os.kill(os.getpid(), 9)").returncode == 128 + signal.SIGKILL


@both
def test_the_traceback_points_into_the_generated_file(program: Program) -> None:
    done = program.run("raise ValueError('no such batch')")
    line = program.generated.read_text().splitlines().index("raise ValueError('no such batch')") + 1
    assert re.findall(r'File "(.*)", line (\d+), in (.*)', done.stderr) == [
        (str(program.generated), str(line), "<module>")
    ]
    assert done.stderr.endswith("ValueError: no such batch\n")
    assert done.returncode == 1


@both
def test_interrupted_it_may_tidy_up_and_nothing_stays(program: Program) -> None:
    started = program.start(
        """
        import subprocess
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", sys.argv[1]])
        try:
            print("ready", flush=True)
            time.sleep(300)
        except KeyboardInterrupt:
            print("saved")
            sys.exit(130)
        """,
        processes=1,
    )
    started.send_signal(signal.SIGINT)
    output, _ = started.communicate(timeout=LIMIT_SECONDS)
    assert output == "saved\n"
    assert started.returncode == 128 + signal.SIGINT
    assert program.left_behind() == []


@both
def test_killed_itself_it_leaves_nothing(program: Program) -> None:
    started = program.start("print('ready', flush=True)\ntime.sleep(300)", processes=1)
    started.kill()
    started.communicate(timeout=LIMIT_SECONDS)
    assert program.left_behind() == []


@pytest.mark.parametrize("program", [ON_TENSORFLOW], indirect=True)
@pytest.mark.parametrize("statement", ["import tensorflow as tf", "import keras, tensorflow as tf"])
def test_tensorflow_has_the_devices_from_its_import_on(program: Program, statement: str) -> None:
    done = program.run(
        f"""
        os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"  # what a script sets before the import still counts
        {statement}
        print(len(tf.config.list_logical_devices("CPU")))
        print(type(tf.__loader__).__name__, tf.__spec__.origin == tf.__file__)
        """,
        processes=3,
    )
    assert (done.stdout, done.stderr) == ("3\nSourceFileLoader True\n", "")


@pytest.mark.parametrize("program", [ON_TENSORFLOW], indirect=True)
@pytest.mark.parametrize("gpus", [2, 3])
def test_gpus_are_taken_in_order_where_there_are_enough(program: Program, gpus: int) -> None:
    folder = program.folder / "tensorflow"
    folder.mkdir()
    (folder / "__init__.py").write_text(FAKE_TENSORFLOW.format(gpus=gpus))
    done = program.run("import tensorflow", processes=3)
    if gpus == 3:
        assert (done.stdout, done.returncode) == ("GPU ['gpu0', 'gpu1', 'gpu2']\n", 0)
    else:
        assert "3 GPUs are needed and TensorFlow sees 2" in done.stderr
        assert done.returncode == 1


FAKE_TENSORFLOW = """
class config:
    list_physical_devices = lambda kind: [f"gpu{{i}}" for i in range({gpus})]
    set_visible_devices = lambda devices, kind: print(kind, devices)
"""


@pytest.mark.parametrize("program", [ON_TENSORFLOW], indirect=True)
def test_without_tensorflow_nothing_happens(program: Program) -> None:
    done = program.run("print(sorted(set(sys.modules) & {'tensorflow', 'numpy'}))", processes=2)
    assert (done.stdout, done.stderr) == ("[]\n", "")


@pytest.mark.keras3
@pytest.mark.parametrize("program", ["keras-distribution"], indirect=True)
def test_keras_has_jax_and_its_devices_and_other_flags_stay(program: Program) -> None:
    done = program.run(
        """
        import keras
        print(keras.backend.backend(), len(keras.distribution.list_devices()), os.environ["XLA_FLAGS"])
        """,
        processes=3,
        XLA_FLAGS="--xla_cpu_enable_fast_math=false --xla_force_host_platform_device_count=8",
        KERAS_BACKEND="torch",
    )
    flags = "--xla_cpu_enable_fast_math=false --xla_force_host_platform_device_count=3"
    assert (done.stdout, done.stderr) == (f"jax 3 {flags}\n", "")


@pytest.fixture
def two_cores() -> Iterator[None]:
    """At most two cores, as XLA makes its threads by their number."""
    own = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(own)[:2])
    yield
    os.sched_setaffinity(0, own)


@pytest.mark.keras3
@pytest.mark.usefixtures("two_cores")
@pytest.mark.parametrize("program", ["keras-distribution"], indirect=True)
def test_devices_of_the_cpu_do_not_wait_for_each_other_for_ever(program: Program) -> None:
    """With one thread a device, XLA ended this program in all of many runs: 500 steps, none of which is waited for."""
    done = program.run(
        """
        import jax, jax.numpy as jnp, numpy as np
        from jax.sharding import NamedSharding, PartitionSpec
        mesh = jax.sharding.Mesh(np.array(jax.devices()), ("batch",))
        x = jax.device_put(np.ones((512, 256), "float32"), NamedSharding(mesh, PartitionSpec("batch")))
        weights = jax.device_put(np.ones((256, 64), "float32"), NamedSharding(mesh, PartitionSpec()))
        loss = lambda weights, x: jnp.mean(jnp.tanh(x @ weights) ** 2)
        step = jax.jit(lambda weights, x: weights - 0.01 * jax.grad(loss)(weights, x))
        for _ in range(500):
            weights = step(weights, x)
        print(len(jax.devices()), weights.shape)
        """,
        XLA_FLAGS="--xla_cpu_collective_call_terminate_timeout_seconds=5",
    )
    assert (done.stdout, done.returncode) == ("2 (256, 64)\n", 0), done.stderr
