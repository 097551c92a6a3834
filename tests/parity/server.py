"""A process that has imported PyTorch and forks a fresh process for each job: importing costs seconds, forking nothing.

Started as ``python server.py MODULES``.

Jobs come as lines of JSON on standard input, results go as lines of JSON to standard output. A job ends with its
threads joined and its exit functions called, but without taking down the interpreter: freeing what was imported before
the fork would cost seconds. How a converted program ends by itself is tested with the engines' own launchers.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import sys
import threading
import time
import traceback
import weakref
from pathlib import Path
from types import ModuleType
from typing import Any


def serve(preload: list[str]) -> dict[str, Any] | None:
    """Answer jobs until standard input ends. Returns in each forked child, with the job that it is to do."""
    for name in preload:
        importlib.import_module(name)
    _leave_alone()
    children: dict[int, int] = {}
    waiting = b""
    print(json.dumps({"ready": True}), flush=True)
    while True:
        readable, _, _ = select.select([0], [], [], 0.01 if children else None)
        if readable:
            text = os.read(0, 1 << 20)
            if not text:
                for child in children:
                    os.kill(child, signal.SIGKILL)
                return None
            *lines, waiting = (waiting + text).split(b"\n")
            for line in lines:
                job = json.loads(line)
                if "kill" in job:
                    _kill(children, job["kill"])
                    continue
                child = os.fork()
                if not child:
                    return dict(job)
                children[child] = job["number"]
        _collect(children)


def _leave_alone() -> None:
    """Let children neither look through what was imported for garbage, which would copy it, nor take it down."""
    gc.collect()
    gc.freeze()
    for finalizer in weakref.finalize._registry:  # type: ignore[attr-defined]
        finalizer.atexit = False


def _kill(children: dict[int, int], number: int) -> None:
    for child, owner in children.items():
        if owner == number:
            os.kill(child, signal.SIGKILL)


def _collect(children: dict[int, int]) -> None:
    while children:
        child, status = os.waitpid(-1, os.WNOHANG)
        if not child:
            return
        answer = {"number": children.pop(child), "status": os.waitstatus_to_exitcode(status), "time": time.time()}
        print(json.dumps(answer), flush=True)


def work(job: dict[str, Any]) -> None:
    """Become the process that the job describes."""
    os.setpgid(0, 0)
    os.environ.update(job["environment"])
    os.chdir(job["cwd"])
    for stream, number in (("in", 0), ("out", 1), ("err", 2)):
        path = os.devnull if stream == "in" else job["streams"] + stream
        flags = os.O_RDONLY if stream == "in" else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        opened = os.open(path, flags, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    main = ModuleType("__main__")
    main.__file__ = job["command"][0]
    sys.modules["__main__"] = main
    sys.argv = job["command"]
    sys.path[0] = str(Path(job["command"][0]).parent)
    import _corro_program

    _corro_program.start(vars(main))


def end(status: int) -> None:
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def main() -> None:
    job = serve(sys.argv[1:])
    if job is None:
        end(0)
        return
    try:
        work(job)
    except SystemExit as ending:
        end(ending.code if isinstance(ending.code, int) else int(ending.code is not None))
    except BaseException:
        traceback.print_exc()
        end(1)
    end(0)


if __name__ == "__main__":
    main()
