"""What a launched program sees, what the user gets of it, and that nothing stays behind."""

from __future__ import annotations

import contextlib
import re
import signal
import socket
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from waiting import LIMIT_SECONDS

if TYPE_CHECKING:
    from unit.launch.conftest import Program


def test_a_program_believes_to_be_the_script(program: Program) -> None:
    (program.folder / "helper.py").write_text("NAME = 'helper of the script'")
    done = program.run(
        """
        import helper
        if RANK == 0:
            print(__name__, __file__, sys.argv, os.getcwd(), sys.path[0], helper.NAME, __doc__, __spec__, sep="|")
            print(sorted(name for name in globals() if not name.startswith("__")))
        """,
        "--lr",
        "0.1",
        "two words",
        "it's $HOME",
        "--log",
        "--max=1",
    )
    folder = program.folder
    seen, names = done.stdout.splitlines()
    assert seen.split("|") == [
        "__main__",
        str(program.script),
        "['train.py', '--lr', '0.1', 'two words', \"it's $HOME\", '--log', '--max=1']",
        str(folder),
        str(folder),
        "helper of the script",
        "None",
        "None",
    ]
    assert names == "['RANK', 'helper', 'os', 'sys', 'time']"
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_safe_path_stays_safe(program: Program) -> None:
    done = program.run("if RANK == 0: print(sys.flags.safe_path, sys.path[0])", PYTHONSAFEPATH="1")
    if sys.version_info >= (3, 11):
        assert done.stdout.startswith("True ")
        assert str(program.folder) not in done.stdout
    assert "drivers" not in done.stdout


def test_one_process_is_a_rank_too_whatever_a_cluster_has_said(program: Program) -> None:
    told = dict.fromkeys(("RANK", "WORLD_SIZE", "HOROVOD_RANK", "HOROVOD_SIZE", "PET_NNODES"), "7")
    done = program.run("print(RANK)", processes=1, TF_CONFIG="{}", **told)
    assert (done.stdout, done.stderr, done.returncode) == ("0\n", "", 0)


def test_more_processes_than_cores(program: Program) -> None:
    done = program.run("print(RANK, os.environ['OMP_NUM_THREADS'])", processes=6)
    assert sorted(done.stdout.splitlines()) == [f"{rank} 1" for rank in range(6)]
    assert (done.stderr, done.returncode) == ("", 0)


def test_the_number_of_threads_is_the_users_to_set(program: Program) -> None:
    done = program.run("print(os.environ['OMP_NUM_THREADS'])", OMP_NUM_THREADS="7")
    assert done.stdout == "7\n7\n"


def test_lines_come_once_bare_and_in_their_stream(program: Program) -> None:
    done = program.run(
        """
        if RANK == 0:
            print("loss", 0.5, "[0]<stdout>:")
            sys.stdout.flush()
            sys.stderr.write("10%\\r20%\\r")
            sys.stdout.buffer.write(b"not UTF-8: \\xff\\n")
        """
    )
    assert done.stdout == "loss 0.5 [0]<stdout>:\nnot UTF-8: \\xff\n"
    assert done.stderr == "10%\n20%\n"  # as text mode reads carriage returns
    assert done.returncode == 0


@pytest.mark.parametrize("ending", ["raise SystemExit(3)", "sys.exit(3)", "os._exit(3)"])
def test_the_exit_status_is_that_of_the_failing_rank(program: Program, ending: str) -> None:
    done = program.run(f"if RANK == 1: {ending}\ntime.sleep(300)")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 3)


def test_a_rank_killed_by_a_signal_ends_the_run(program: Program) -> None:
    done = program.run("if RANK == 0: os.kill(os.getpid(), 9)\ntime.sleep(300)")
    assert done.returncode == 128 + signal.SIGKILL


def test_the_traceback_is_shown_once_and_points_into_the_generated_file(program: Program) -> None:
    done = program.run(
        """
        def train():
            if RANK == 1:
                raise ValueError("no such batch")
            time.sleep(300)

        train()
        """
    )
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    places = re.findall(r'File "(.*)", line (\d+), in (.*)', done.stderr)
    text = program.generated.read_text().splitlines()
    assert places == [
        (str(program.generated), str(text.index("train()") + 1), "<module>"),
        (str(program.generated), str(text.index('        raise ValueError("no such batch")') + 1), "train"),
    ]
    assert done.stderr.endswith("ValueError: no such batch\n")


def test_the_same_error_on_all_ranks_is_one_traceback(program: Program) -> None:
    done = program.run("raise ValueError('boom')", processes=3)
    assert done.stderr.count("Traceback") == 1
    assert done.stderr.count("ValueError: boom") == 1


def test_a_last_message_of_all_ranks_is_said_once(program: Program) -> None:
    done = program.run("sys.exit('no data here')")
    assert (done.stderr, done.returncode) == ("no data here\n", 1)


def test_interrupted_each_rank_may_tidy_up_and_nothing_stays(program: Program) -> None:
    started = program.start(
        """
        import subprocess
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)", sys.argv[1]])
        try:
            print("ready")
            time.sleep(300)
        except KeyboardInterrupt:
            print("saved")
            sys.exit(130)
        """
    )
    started.send_signal(signal.SIGINT)
    output, _ = started.communicate(timeout=LIMIT_SECONDS)
    assert output.splitlines() == ["saved", "saved"]
    assert started.returncode == 128 + signal.SIGINT
    assert program.left_behind() == []


def test_interrupted_no_rank_shows_a_traceback(program: Program) -> None:
    started = program.start(
        """
        print("ready")
        time.sleep(300)
        """
    )
    started.send_signal(signal.SIGINT)
    output, errors = started.communicate(timeout=LIMIT_SECONDS)
    assert (output, errors, started.returncode) == ("", "", 128 + signal.SIGINT)


def test_a_rank_that_tells_of_its_failure_is_not_interrupted(program: Program) -> None:
    done = program.run(
        """
        import signal
        class Slow(Exception):
            def __str__(self):
                signal.raise_signal(signal.SIGINT)
                return "told"
        if RANK == 1:
            raise Slow()
        time.sleep(300)
        """
    )
    assert done.returncode == 1
    assert "Slow: told" in done.stderr
    assert "KeyboardInterrupt" not in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_kills_what_does_not_listen(program: Program, number: signal.Signals) -> None:
    started = program.start(
        """
        import signal
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print("ready")
        time.sleep(300)
        """
    )
    started.send_signal(number)
    with pytest.raises(subprocess.TimeoutExpired):
        started.wait(2)
    started.send_signal(number)
    started.communicate(timeout=LIMIT_SECONDS)
    assert started.returncode == 128 + number
    assert program.left_behind() == []


def test_it_starts_while_the_usual_port_is_in_use(program: Program) -> None:
    with socket.socket() as taken:
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with contextlib.suppress(OSError):  # in use already, by the same test of another launcher
            taken.bind(("127.0.0.1", 29500))
            taken.listen()
        done = program.run(
            """
            if "TORCHELASTIC_RUN_ID" in os.environ:
                import torch, torch.distributed as dist
                dist.init_process_group("gloo")
                total = torch.ones(1)
                dist.all_reduce(total)
                dist.destroy_process_group()
            elif "TF_CONFIG" in os.environ:
                import tensorflow as tf
                strategy = tf.distribute.MultiWorkerMirroredStrategy()
                ones = strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.ones(())))
                total = ones.numpy()
            elif "KERAS_BACKEND" in os.environ:
                import keras, jax
                keras.distribution.initialize()
                total = jax.numpy.float32(jax.device_count())
            else:
                import torch, horovod.torch as hvd
                hvd.init()
                total = hvd.allreduce(torch.ones(1), op=hvd.Sum)
            print(f"total {total.item()}")
            """
        )
    # JAX's Gloo writes lines of its own into stdout, in pieces: what is ours may stand between them.
    assert (done.stdout.count("total 2.0\n"), done.returncode) == (2, 0)


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_spawned_workers_import_the_generated_program(program: Program, method: str) -> None:
    done = program.run(
        f"""
        import multiprocessing

        def where(_):
            return __file__, __name__, ADDED

        ADDED = "by the conversion"

        if __name__ == "__main__" and RANK == 0:
            with multiprocessing.get_context("{method}").Pool(1) as pool:
                print(*pool.map(where, [0])[0], sep="|")
        """
    )
    assert done.stdout == f"{program.script}|__mp_main__|by the conversion\n"
    assert done.returncode == 0


def test_killed_itself_it_leaves_nothing(program: Program) -> None:
    started = program.start("print('ready')\ntime.sleep(300)")
    started.kill()
    started.communicate(timeout=LIMIT_SECONDS)
    assert program.left_behind() == []
