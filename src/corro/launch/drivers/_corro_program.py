"""Gives a generated program the surroundings of the script it was made from, and runs it.

The program sees what ``python SCRIPT ARGS`` would show it: ``__file__``, ``sys.argv``, ``sys.path[0]``,
``__name__``; that of a package what ``python -m`` would. Its code carries the name of the generated file, so that
tracebacks show lines that exist. Processes that :mod:`multiprocessing` spawns import the main file again by its path:
they are led here too. Imports of project modules that were converted load the generated texts (``_corro_modules.py``).

Imports the standard library only, not even :mod:`corro`, unless the program is to be observed or measured.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import os
import signal
import sys
from importlib.machinery import SourceFileLoader
from io import IOBase, TextIOWrapper
from multiprocessing import spawn, util
from types import CodeType, FrameType, TracebackType
from typing import Any

import _corro_devices
import _corro_driver
import _corro_modules
import _corro_places

INTERRUPTED = 130
_HOOKS = {"_show_once", "_distributed_excepthook"}
"""What tells of an error: ours, and PyTorch's around it."""
_terminal = 2
"""Where errors are seen that go into a file, too."""


def start(namespace: dict[str, Any]) -> None:
    """Turns ``namespace``, the ``__main__`` of this process, into that of the script and runs the program in it."""
    bootstrap = os.path.abspath(namespace["__file__"])
    spawned = namespace["__name__"] != "__main__"
    if not spawned:
        os.environ["CORRO_GENERATED"], os.environ["CORRO_SCRIPT"] = sys.argv[1], os.path.abspath(sys.argv[2])
        del sys.argv[:2]
        if not getattr(sys.flags, "safe_path", False):  # python -P, which would not put the script's folder there
            sys.path[0] = _first_on_path(os.path.dirname(os.path.realpath(sys.argv[0])))
        sys.excepthook = _show_once
        atexit.register(_end)
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, _interrupt)
        _write_whole_lines()
        _log_to_file()
        _tell_of_beginning()
        _corro_driver.end_with_parent()
        _log_once()
        _corro_devices.install()
    generated, script = os.environ["CORRO_GENERATED"], os.environ["CORRO_SCRIPT"]
    _lead_spawned_processes(script, bootstrap)
    _corro_modules.install(generated, script)
    with open(generated, "rb") as file:
        program = compile(file.read(), generated, "exec", dont_inherit=True)
    _become(namespace, script)
    if spawned:
        exec(program, namespace)
    elif "CORRO_PROBE" in os.environ:
        _watch(namespace)
    elif "CORRO_METER" in os.environ:
        _measure(program, namespace)
    elif "CORRO_CELL" in os.environ:
        _run_cell(generated, namespace)
    else:
        _run(program, namespace)


def _first_on_path(folder: str) -> str:
    """The folder of the script, or the one around its packages where it is a module of one."""
    package = os.environ.get("CORRO_PACKAGE")
    return os.path.abspath(os.path.join(folder, *[".."] * len(package.split(".")))) if package else folder


def _watch(namespace: dict[str, Any]) -> None:
    """Runs the program under observation, for ``corro verify``."""
    from corro.verify.probe import watch

    watch(lambda program: _run(program, namespace), _corro_modules.transform_by)


def _measure(program: CodeType, namespace: dict[str, Any]) -> None:
    """Runs the program with a clock, for ``corro bench``, ``corro forecast`` and ``corro trace``."""
    if "CORRO_FORECAST" in os.environ:
        from corro.forecast.inside import profiled as measured
    elif "CORRO_TRACE" in os.environ:
        from corro.trace.inside import traced as measured
    else:
        from corro.bench.meter import measured
    measured(lambda: _run(program, namespace))


def _run_cell(generated: str, namespace: dict[str, Any]) -> None:
    """Runs the program of a notebook, of which some things come back to the kernel."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import _corro_cell

    sys.path.pop(0)
    with open(generated, "rb") as file:
        text = file.read()
    _corro_cell.run(text, generated, namespace, _rank(), _first_to_fail)


def _write_whole_lines() -> None:
    """Lets each line out at once and whole, as on a terminal, also where the launcher asks for no buffering."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(line_buffering=True, write_through=False)


def _log_to_file() -> None:
    """Gives each process a file for what it writes; what the first one writes is seen as well."""
    folder = os.environ.get("CORRO_LOGS")
    if folder is None:
        return
    log = open(os.path.join(folder, f"rank{_rank()}.log"), "w", encoding="utf-8", errors="replace", buffering=1)  # noqa: SIM115 - until the end
    if _rank() != "0":
        global _terminal  # noqa: PLW0603
        _terminal = os.dup(2)
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
        return
    for stream in (sys.stdout, sys.stderr):
        _copy_to(log, stream)


def _copy_to(log: Any, stream: Any) -> None:
    write = stream.write

    def both(text: str) -> int:
        log.write(text)
        written: int = write(text)
        return written

    stream.write = both


def _tell_of_beginning() -> None:
    """Tells ``corro run`` that this process has begun; its first word takes away what is said about starting."""
    folder = os.environ.get("CORRO_RUN")
    if folder is None:
        return
    _leave(os.path.join(folder, f"begun.{_rank()}"))
    if "CORRO_STATUS" in os.environ:
        for stream in (sys.stdout, sys.stderr):
            _before_first(stream, os.path.join(folder, "spoke"))


def _before_first(stream: Any, sign: str) -> None:
    """Lets the first thing that is written be preceded by an empty line in the place of the status."""
    write = stream.write

    def first(text: str) -> int:
        stream.write = write
        if _leave(sign):
            os.write(2, b"\r\x1b[K")
        written: int = write(text)
        return written

    try:
        stream.write = first
    except AttributeError:  # a stream of another kind: the status stays until the next line
        pass


def _leave(sign: str) -> bool:
    """Makes an empty file, and answers whether it was not there."""
    try:
        os.close(os.open(sign, os.O_CREAT | os.O_EXCL))
    except OSError:
        return False
    return True


def _log_once() -> None:
    """Lets rank 0 alone tell what TensorFlow's C++ code has to say in each process; errors are told by all."""
    if _rank() != "0":
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")


def _become(namespace: dict[str, Any], script: str) -> None:
    loader = namespace["__loader__"] and SourceFileLoader("__main__", script)
    for name in namespace.keys() - {"__name__", "__builtins__", "__spec__"}:
        del namespace[name]
    package = os.environ.get("CORRO_PACKAGE")
    namespace.update(__doc__=None, __file__=script, __loader__=loader, __cached__=None, __package__=package)


def _run(program: CodeType, namespace: dict[str, Any]) -> None:
    """Runs the program; of several ranks that end with a message, the first one says it."""
    try:
        if namespace["__package__"]:
            importlib.import_module(namespace["__package__"])
        exec(program, namespace)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        said = f"exit status {status}" if isinstance(end.code, int) else str(end.code)
        if status:
            _end_in_order.append(status)
            if not _first_to_fail(status, said, end.__traceback__):
                end.code = status
        raise


def _show_once(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """``sys.excepthook``: one traceback for the run instead of one for each rank, and without Corro's frames."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))) + os.sep
    while trace and os.path.abspath(trace.tb_frame.f_code.co_filename).startswith(package):
        trace = trace.tb_next
    summary = f"{kind.__name__}: {error}".splitlines()[0]
    status = INTERRUPTED if kind is KeyboardInterrupt else 1
    _end_in_order.append(status)
    first = _first_to_fail(status, summary, trace)
    if status == INTERRUPTED and "CORRO_RUN" in os.environ:  # `corro run` says where
        return
    if first:
        import traceback

        text = "".join(traceback.format_exception(kind, error.with_traceback(trace), trace))
        text = _corro_places.in_script(text)
        sys.stderr.write(text)
        if "CORRO_LOGS" in os.environ and _rank() != "0":  # into its file; and where it is seen
            os.write(_terminal, text.encode(errors="replace"))


_end_in_order: list[int] = []
"""The exit status of a process that fails: it is to end before the libraries in it are taken apart."""


def _end() -> None:
    """End a process that fails once all that asked for it was called, and what is written has reached its files.

    The threads of gloo may be in an exchange that nobody ends. Taken apart with the interpreter, one process in ten
    aborts: "terminate called without an active exception".
    """
    if _end_in_order:
        import gc

        util._exit_function()  # type: ignore[attr-defined] # its turn would come after this
        for each in gc.get_objects():
            if issubclass(type(each), IOBase):
                with contextlib.suppress(OSError, ValueError):
                    each.flush()
        os._exit(_end_in_order[0])


def _interrupt(number: int, frame: FrameType | None) -> None:
    """SIGINT as Python has it; but a process that tells of its end goes on to do so."""
    telling = frame
    while telling is not None:
        if telling.f_code.co_name in _HOOKS:
            return
        telling = telling.f_back
    signal.default_int_handler(number, frame)


def _first_to_fail(status: int, summary: str, trace: TracebackType | None = None) -> bool:
    """Whether no other rank of this run failed before; if so, leaves the exit status for ``corro run``."""
    folder = os.environ.get("CORRO_RUN")
    if folder is None:
        return True
    try:
        mine = os.path.join(folder, f"failure.{_rank()}")
        with open(mine, "w", encoding="utf-8", errors="replace") as file:
            file.write(f"{status}\n{_rank()}\n{summary}\n{_corro_places.innermost(trace)}\n")
        os.link(mine, os.path.join(folder, "failure"))  # with its contents, at once, and for one rank only
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _rank() -> str:
    """The launch says by which variable its launcher tells each process its rank."""
    rank, _, _ = os.environ.get("CORRO_PLACE", "").partition(" ")
    return os.environ.get(rank) or "0"


def _lead_spawned_processes(script: str, bootstrap: str) -> None:
    """Makes processes that are spawned, or forked from a server, start with the bootstrap instead of the script."""
    plain = spawn.get_preparation_data

    def prepare(name: str) -> dict[str, Any]:
        data = plain(name)
        if data.get("init_main_from_path") == script:
            data["init_main_from_path"] = bootstrap
        return data

    spawn.get_preparation_data = prepare
