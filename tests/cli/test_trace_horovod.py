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

from corro.trace.inside_horovod import Horovod, _seconds_of

tracer = SimpleNamespace(notes={}, at_step=[], made=0, is_watched=True)
import horovod.torch as hvd
import torch

noted = Horovod(tracer, hvd)
hvd.init()


def share_of_a_core():
    before, start = _seconds_of(noted._writer.thread), time.monotonic()
    time.sleep(0.5)
    return (_seconds_of(noted._writer.thread) - before) / (time.monotonic() - start)


def step():
    tracer.made += 1
    for each in tracer.at_step:
        each()


hvd.allreduce(torch.ones(3))
step()
watched = share_of_a_core()
tracer.is_watched = False
step()
rests = share_of_a_core()
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
        assert found["rests"] < 0.01 < found["watched"]
        assert found["summed"] == [1.0, 1.0, 1.0]
        assert found["ends"] < 10
        assert json.loads(timeline.read_text())
