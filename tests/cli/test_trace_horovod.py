"""The writer of Horovod's timeline, which asks for events for as long as Horovod runs, takes no core from training."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

PROGRAM = """\
import json
import time
from types import SimpleNamespace

from corro.trace.inside_horovod import Horovod

tracer = SimpleNamespace(notes={}, at_step=[], made=0, is_watched=True)
import horovod.torch as hvd
import torch

noted = Horovod(tracer, hvd)
hvd.init()


def state():
    with open(f"/proc/self/task/{noted._writer.thread}/stat") as file:
        return file.read().rpartition(")")[2].split()[0]


def is_soon(expected):
    until = time.monotonic() + 4
    while state() != expected and time.monotonic() < until:
        time.sleep(0.01)
    return state()


def step():
    tracer.made += 1
    for each in tracer.at_step:
        each()


hvd.allreduce(torch.ones(3))
step()
watched = is_soon("R")
tracer.is_watched = False
step()
rests = is_soon("S")
summed = hvd.allreduce(torch.ones(3), op=hvd.Sum).tolist()
said = noted.noted() if END == "noted" else None
start = time.monotonic()
hvd.shutdown()
print(json.dumps({"watched": watched, "rests": rests, "summed": summed, "ends": time.monotonic() - start}))
"""


def test_the_writer_of_the_timeline_rests_once_it_is_complete(tmp_path: Path) -> None:
    for end in ("noted", "shutdown"):
        timeline = tmp_path / f"{end}.json"
        program = PROGRAM.replace("END", repr(end))
        environment = {**os.environ, "HOROVOD_TIMELINE": str(timeline)}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=50, check=True
        )
        found = json.loads(done.stdout.splitlines()[-1])
        assert (found["watched"], found["rests"]) == ("R", "S")
        assert found["summed"] == [1.0, 1.0, 1.0]
        assert found["ends"] < 15
        assert json.loads(timeline.read_text())
