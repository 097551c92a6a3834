"""Recognise experiment trackers: what begins a run, what reports to it, and what is read back from it.

Of some, a run can be begun that does nothing (``wandb.init(mode="disabled")``): every process has one, and the code
around it stays as it is. Those of the others are rank 0's alone, and what reports to them is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.anatomy.placement import Form, Placement, combine
from corro.classes import dataclass
from corro.flow.values import UNKNOWN, Value

if TYPE_CHECKING:
    from corro.flow.facts import CallFact
    from corro.flow.semantics import Call
    from corro.flow.state import Flow


@dataclass(frozen=True)
class Silence:
    """The argument with which a run does nothing: its name, its value then, and its default."""

    keyword: str
    silent: str
    default: str


_MODE = Silence("mode", '"disabled"', "None")
_DEBUG = Silence("mode", '"debug"', "None")
_DISABLED = Silence("disabled", "True", "False")
SILENT = {
    "wandb.init": _MODE, "swanlab.init": _MODE, "neptune.init_run": _DEBUG,
    "comet_ml.Experiment": _DISABLED, "comet_ml.OfflineExperiment": _DISABLED,
}  # fmt: skip
"""What begins a run that may do nothing."""
_WHOLE = ("wandb", "swanlab")
"""Modules by which the run that was begun last is known."""
_MAKING = frozenset({"mlflow.start_run", "clearml.Task.init", "clearml.Task.create", "clearml.Task.current_task",
                     "clearml.Logger.current_logger", "visdom.Visdom", "aim.Run", "aim.sdk.run.Run",
                     "tensorboard_logger.Logger", "trackio.init", "comet_ml.start"})  # fmt: skip
"""What makes a run, or what reports to one, that rank 0 alone has."""
_LIBRARIES = ("wandb.", "swanlab.", "mlflow.", "neptune.", "comet_ml.", "visdom.", "clearml.", "trackio.", "aim.",
              "tensorboard_logger.")  # fmt: skip
_NEEDED = frozenset({"agent", "sweep", "controller", "Api", "restore", "use_artifact", "use_model", "load_model",
                     "load_state_dict", "download", "download_artifacts", "search_runs", "get_run", "fetch", "keras",
                     "integration", "lightning", "sklearn", "xgboost", "create", "prompt", "load_table",
                     "load_dict", "load_text", "init_project", "init_model", "optimize"})  # fmt: skip
"""Parts of names of what every process would have to have, or do, together with rank 0."""
_READ = frozenset({"name", "id", "dir", "url", "path", "step", "sweep_id", "entity", "project", "group",
                   "job_type", "notes", "tags", "resumed", "starting_step", "start_time", "info", "public",
                   "settings"})  # fmt: skip
"""What a run says of itself: rank 0's says another thing than one that does nothing."""
_FILES = frozenset({"save", "log_artifact", "log_artifacts", "log_model", "log_code", "link_model", "upload_model",
                    "log_image", "log_asset", "log_figure", "add_file", "add_dir", "upload", "login", "setup",
                    "upload_file"})  # fmt: skip
"""What reads files that rank 0 may have written, or asks for a key."""
CONFIG = "settings of a run"
"""The name of what a run was begun with, which a sweep may have changed on rank 0."""


def is_report(fact: CallFact) -> bool:
    """Whether a call is one of a tracker, or of a run; what only makes a picture or a table to be shown is not."""
    if fact.receiver is not None:
        return fact.receiver.kind is Kind.RUN
    return fact.name.startswith(_LIBRARIES) and not is_media(fact.name) and ".util." not in fact.name


def is_media(name: str) -> bool:
    """Whether a function of a library makes something to be shown: ``wandb.Image``, ``wandb.plot.line``."""
    top, _, rest = name.partition(".")
    made = rest[:1].isupper() and "." not in rest and rest not in _NEEDED
    return top in _WHOLE and (made or rest.startswith(("plot.", "data_types.")))


def is_needed(name: str) -> bool:
    """Whether every process would need what a call gives, or have to take part in what it does."""
    return not _NEEDED.isdisjoint(name.split("."))


def is_of_files(name: str) -> bool:
    """Whether a call reads files that rank 0 may have written, or asks for a key."""
    return name.rpartition(".")[2] in _FILES


def has_silent_runs(fact: CallFact) -> bool:
    """Whether every process has a run that a call belongs to."""
    of_run = fact.receiver is not None and fact.receiver.kind is Kind.RUN
    return of_run or fact.name.startswith(tuple(f"{each}." for each in _WHOLE)) or fact.name in SILENT


# ---------------------------------------------------------------------- what the analysis knows


def made(flow: Flow, name: str, call: Call, site: frozenset[int]) -> Value | None:
    """What a function of a tracker gives."""
    if not name.startswith(_LIBRARIES):
        return None
    if name in SILENT:
        return Value(Kind.RUN, sites=site)
    if name in _MAKING or name.endswith(".Artifact"):
        return Value(Kind.WRITER, sites=site)
    if is_media(name):
        return Value(placement=combine(map(flow.whole, call.values)))
    return Value(placement=Placement(Form.LOCAL))


def attribute(flow: Flow, owner: Value, name: str) -> Value | None:
    """The run that a module knows, and what is read of one, or of a writer, which rank 0 alone has."""
    if owner.kind is Kind.WRITER:
        return Value(Kind.METHOD, Placement(Form.LOCAL), name=name, items=(owner,))
    whole = owner.kind is Kind.LIBRARY and owner.name in _WHOLE
    if whole and name == "run":
        return Value(Kind.RUN, sites=_begun(flow))
    if whole or owner.kind is Kind.RUN:
        if name == "config":
            return Value(Kind.NAMESPACE, name=CONFIG)
        if name == "summary":
            return Value(Kind.RUN, sites=owner.sites)
    if owner.kind is Kind.RUN and name in _READ:
        return Value(Kind.TEXT, Placement(Form.LOCAL, causes=owner.sites))
    return None


def method(flow: Flow, receiver: Value, call: Call) -> Value | None:
    """What a method of a run gives, or one of a writer, such as a window that it goes on with: rank 0 alone has it."""
    if receiver.kind is Kind.RUN:
        return Value(placement=Placement(Form.LOCAL, causes=receiver.sites))
    return receiver.but(sites=frozenset({flow.facts.number(call.node)})) if receiver.kind is Kind.WRITER else None


def subscript(owner: Value) -> Value | None:
    """An item of a run, that is a series of it, or of its settings."""
    if owner.kind is Kind.RUN:
        return owner
    return UNKNOWN if owner.name == CONFIG else None


def _begun(flow: Flow) -> frozenset[int]:
    """The calls that have begun runs so far."""
    return frozenset(flow.facts.number(fact.node) for fact in flow.facts.calls if fact.name in SILENT)
