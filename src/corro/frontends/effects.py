"""Recognise what a script does to the outside world: what it prints, logs, writes and shows."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind
from corro.classes import dataclass
from corro.flow.python import FIGURE, MEMORY, PYPLOT
from corro.flow.values import IN_BAR
from corro.frontends import trackers
from corro.frontends.progress import PRINTING, PROGRESS_BARS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from corro.flow.facts import CallFact
    from corro.flow.values import Value


class EffectKind(Enum):
    """What an effect does; each kind is made to happen once in its own way."""

    PRINT = "prints"
    LOG = "logs"
    RECORD = "writes to a summary"
    SAVE = "writes a file"
    DIRECTORY = "makes a directory"
    DELETE = "deletes or moves files"
    FETCH = "fetches or unpacks files"
    PLOT = "plots"
    OPEN = "opens a file for writing"
    CONTAINER = "opens an archive or a data file for writing"
    WRITER = "makes a summary writer"
    LOG_FILE = "opens a log file"
    PROGRESS = "makes a progress bar"
    FILE_WRITE = "writes to an open file"
    REPORT = "updates a progress bar"
    INPUT = "reads the terminal"
    TRACKER = "reports to an experiment tracker"
    SEND = "sends something"
    DATABASE = "writes to a database"


@dataclass(frozen=True, eq=False)
class Effect:
    """One call with an effect, in one context."""

    kind: EffectKind
    fact: CallFact

    @property
    def node(self) -> ast.Call:
        """The call."""
        return self.fact.node


_PATHS = (Kind.UNKNOWN, Kind.METHOD, Kind.TEXT)
"""What a path may be taken for, or an attribute of one, such as ``path.parent``."""
_INTO_FILES = (EffectKind.SAVE, EffectKind.CONTAINER, EffectKind.PLOT)
"""What is no effect where the file is one in memory, which each process reads itself."""
CALLED_BY_LIBRARIES = frozenset({"call", "build", "forward", "train_step", "test_step", "predict_step"})
"""Methods of models and layers that nobody is seen to call."""

_PRINTS = frozenset({"print", "builtins.print", "pprint.pprint", "sys.stdout.write", "sys.stderr.write",
                     "sys.stdout.flush",
                     "warnings.warn", "torchsummary.summary", "torchinfo.summary", "click.echo", "rich.print",
                     "traceback.print_exc", *PRINTING})  # fmt: skip
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception", "log"})
_OF_LOGURU = frozenset({"trace", "success"})
_SAVES = frozenset(
    {"torch.save", "numpy.save", "numpy.savez", "numpy.savez_compressed", "numpy.savetxt", "pickle.dump", "json.dump",
     "joblib.dump", "torch.onnx.export", "torchvision.utils.save_image", "torch.jit.save", "yaml.dump", "cv2.imwrite",
     "safetensors.torch.save_file", "safetensors.torch.save_model", "safetensors.numpy.save_file", "scipy.io.savemat",
     "numpy.ndarray.tofile", "csv.writer.writerow", "imageio.v3.imwrite",
     "torchvision.io.write_png", "torchvision.io.write_jpeg", "torchvision.io.write_video", "torchaudio.save",
     "soundfile.write", "scipy.io.wavfile.write", "skimage.io.imsave", "scipy.misc.imsave", "matplotlib.image.imsave",
     "os.symlink", "os.link", "dotenv.set_key", "dotenv.unset_key",
     "plotly.io.write_html", "plotly.io.write_image", "plotly.io.write_json", "bokeh.plotting.save", "bokeh.io.save",
     "bokeh.io.export_png", "bokeh.io.export_svg", "bokeh.io.export_svgs", "tensorflow.profiler.experimental.start",
     "tensorflow.profiler.experimental.stop"}
    | {f"imageio.{version}{name}" for version in ("", "v2.") for name in ("imwrite", "imsave", "mimwrite", "mimsave")}
)  # fmt: skip
_SAVE_METHODS = frozenset({"to_csv", "to_json", "to_pickle", "to_excel", "to_parquet", "savefig",
                           "write_text", "write_bytes", "tofile", "touch", "save",
                           "symlink_to", "to_hdf", "to_feather", "to_html", "to_sql", "to_disk",
                           "write_image", "write_html", "write_videofile", "write_gif"})  # fmt: skip
_SAVES_NOTHING = frozenset({"save_for_backward", "save_hyperparameters", "save_on_cpu"})
"""Methods whose names begin as those that write files do: what they keep stays in the process."""
_TEXTS = frozenset({"to_csv", "to_json", "to_html"})
"""Methods that give a text where they are given no file."""
_DELETES = frozenset({"os.remove", "os.unlink", "os.rename", "os.replace", "os.rmdir", "shutil.rmtree", "shutil.copy",
                      "shutil.copyfile", "shutil.move", "shutil.copy2", "shutil.copytree", "os.removedirs",
                      "os.truncate"})  # fmt: skip
_FETCHES = frozenset({"os.system", "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.Popen",
                      "urllib.request.urlretrieve", "wget.download", "gdown.download",
                      "torch.hub.download_url_to_file",
                      "torchvision.datasets.utils.download_url", "shutil.unpack_archive", "nltk.download",
                      "spacy.cli.download", "spacy.cli.download.download",
                      "torchvision.datasets.utils.download_and_extract_archive"})  # fmt: skip
_COMMANDS = frozenset({"subprocess.check_output", "subprocess.getoutput", "subprocess.getstatusoutput", "os.popen"})
"""Commands that are mostly asked for what they print."""
_ASKS = frozenset({"input", "builtins.input", "getpass.getpass", "os.get_terminal_size", "google.colab.files.upload"})
_SENDS = frozenset({"requests.post", "requests.put", "requests.patch", "requests.delete"})
_SEND_METHODS = frozenset({"sendmail", "send_message"})
_CONFIGURES = frozenset({"logging.config.dictConfig", "logging.config.fileConfig"})
_OPENS = frozenset({"open", "io.open", "codecs.open", "gzip.open", "bz2.open", "lzma.open"})
_OPENS_OF_TENSORFLOW = frozenset({"GFile", "FastGFile", "Open"})
"""Of a module called ``gfile``, which has several places."""
_CONTAINERS = frozenset({"h5py.File", "zipfile.ZipFile", "tarfile.open", "netCDF4.Dataset"})
"""Files with a structure of their own, which the null device does not take."""
_WRITERS = frozenset(
    {"imageio.get_writer", "imageio.v2.get_writer", "pandas.ExcelWriter", "pandas.HDFStore", "cv2.VideoWriter",
     "tensorflow.io.TFRecordWriter", "tensorflow.python_io.TFRecordWriter", "shelve.open"}
)  # fmt: skip
"""Those of them that are written unless they are opened with the mode "r"."""
_WRITING_TO_FILE = frozenset({"pickle.dump", "json.dump", "yaml.dump"})
_SHOWN = frozenset({"cv2.imshow", "cv2.waitKey", "cv2.destroyWindow", "cv2.destroyAllWindows", "skimage.io.imshow",
                    "skimage.io.show", "IPython.display.display", "IPython.display.clear_output",
                    "plotly.offline.plot", "plotly.offline.iplot", "plotly.io.show", "bokeh.plotting.show",
                    "bokeh.io.show", "webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab",
                    "os.startfile", "google.colab.files.download"})  # fmt: skip
"""Windows, pages of a browser, and what a notebook shows."""


def effects(calls: Iterable[CallFact]) -> Iterator[Effect]:
    """The effects among some calls, in order."""
    for fact in calls:
        kind = _kind(fact)
        if kind is not None:
            yield Effect(kind, fact)


def named(name: str) -> EffectKind | None:
    """The effect of a library function of which only the dotted name is known."""
    return _BY_NAME.get(name.removeprefix("builtins."))


def opens(name: str) -> bool:
    """Whether a library function of this dotted name opens a file, given its path and its mode."""
    module, _, last = name.rpartition(".")
    return name in _OPENS or (last in _OPENS_OF_TENSORFLOW and module.endswith(".gfile"))


def may_only_answer(fact: CallFact) -> bool:
    """Whether a call may be made for its result alone: a command or a server is asked, a template is filled."""
    asks = fact.name in _COMMANDS and not _asks_terminal(fact)
    return asks or fact.name == "render" or fact.name in _SENDS


def asks_size(fact: CallFact) -> bool:
    """Whether a call asks the terminal for its size, as progress bars do, and for nothing else."""
    command = fact.args[0].const if fact.args else None
    asked = isinstance(command, str) and command.split() == ["stty", "size"]
    return fact.name == "os.get_terminal_size" or (fact.name == "os.popen" and asked)


def goes_into_files(fact: CallFact) -> bool:
    """Whether what a call is given is written into a file, or may be, as what is logged."""
    kind = _kind(fact)
    if kind is EffectKind.PRINT:
        return "file" in fact.keywords or not fact.name.endswith("print")
    plotted = fact.receiver is not None and FIGURE in fact.receiver.tags
    return plotted or kind in (EffectKind.SAVE, EffectKind.FILE_WRITE, EffectKind.LOG, EffectKind.PLOT)


def _kind(fact: CallFact) -> EffectKind | None:
    if trackers.is_report(fact):
        return EffectKind.TRACKER
    receiver = fact.receiver
    if receiver is None:
        kind = _function_kind(fact)
    else:
        kind = _method_kind(fact, Kind.PROGRESS if IN_BAR in receiver.tags else receiver.kind)
    return None if kind in _INTO_FILES and any(value.name == MEMORY for value in _given(fact)) else kind


def _given(fact: CallFact) -> Iterator[Value]:
    yield from fact.args
    yield from fact.keywords.values()


def _method_kind(fact: CallFact, kind: Kind) -> EffectKind | None:
    if kind is Kind.LOGGER:
        return EffectKind.LOG if fact.name in _LEVELS else None
    if kind is Kind.FILE and fact.name in ("write", "writelines"):
        return EffectKind.FILE_WRITE
    if fact.name in ("writerow", "writerows"):
        return EffectKind.FILE_WRITE
    if kind is Kind.WRITER:
        return EffectKind.RECORD
    if kind is Kind.PROGRESS or fact.name == "print_trainable_parameters":
        return EffectKind.REPORT if kind is Kind.PROGRESS and fact.name != "write" else EffectKind.PRINT
    dumps = kind is Kind.TENSOR and fact.name == "dump"  # of NumPy
    if dumps or fact.name in _SAVE_METHODS or (fact.name.startswith("save_") and fact.name not in _SAVES_NOTHING):
        gives_text = fact.name in _TEXTS and (kind is Kind.MODULE or not (fact.node.args or _names_a_file(fact)))
        return None if gives_text else EffectKind.SAVE
    if kind in _PATHS and fact.name == "mkdir" and not _exists_ok(fact):
        return EffectKind.DIRECTORY
    if kind in _PATHS and (fact.name in ("unlink", "rmdir") or _renames_a_file(fact)):
        return EffectKind.DELETE
    if kind is Kind.UNKNOWN and fact.name in ("show", "render"):  # a figure, an image or a graph, of whatever library
        return EffectKind.PLOT
    if kind is Kind.UNKNOWN and fact.name in (*_SEND_METHODS, "commit"):
        return EffectKind.DATABASE if fact.name == "commit" else EffectKind.SEND
    fetches = fact.name in ("extractall", "extract", "download", "system_raw") or _is_of_a_notebook(fact)
    if kind is Kind.UNKNOWN and fetches:
        return EffectKind.FETCH
    if kind in (Kind.UNKNOWN, Kind.TEXT) and fact.name == "open" and _writes(fact, 0):
        return EffectKind.OPEN
    return None


def _renames_a_file(fact: CallFact) -> bool:
    """A path is given its new name alone; ``table.rename(columns={...}, inplace=True)`` is of a table."""
    given = [*fact.args, *fact.keywords.values()]
    return fact.name == "rename" and fact.keywords.keys() <= {"target"} and all(v.kind is not Kind.DICT for v in given)


_GROUPS = (
    (_PRINTS, EffectKind.PRINT),
    (_SAVES, EffectKind.SAVE),
    (_FETCHES | _COMMANDS, EffectKind.FETCH),
    (_DELETES, EffectKind.DELETE),
    (_ASKS, EffectKind.INPUT),
    (_SENDS, EffectKind.SEND),
    (_SHOWN, EffectKind.PLOT),
    (PROGRESS_BARS, EffectKind.PROGRESS),
)
_BY_NAME = {name: kind for names, kind in reversed(_GROUPS) for name in names}
"""The effects of functions by their names, of the first group that has one."""
_BY_RESULT = {Kind.WRITER: EffectKind.WRITER, Kind.PROGRESS: EffectKind.PROGRESS}


def _function_kind(fact: CallFact) -> EffectKind | None:
    name = fact.name
    if name in _WRITING_TO_FILE and len(fact.args) > 1 and fact.args[1].kind is Kind.FILE:
        return EffectKind.FILE_WRITE
    if _asks_terminal(fact):
        return EffectKind.INPUT
    made = _BY_RESULT.get(fact.result.kind) if name else None  # by a function of the script it is made in there
    known = _BY_NAME.get(name, made)
    if known is not None:
        return known
    if name.startswith(("logging.", "loguru.logger.")):
        return _logging_kind(fact)
    if opens(name) or name in _CONTAINERS:
        opened = EffectKind.OPEN if opens(name) else EffectKind.CONTAINER
        return opened if _writes(fact, 1) else None
    if name == "numpy.memmap":
        return EffectKind.CONTAINER if _writes(fact, 2) else None
    if name.removeprefix("tensorflow.compat.v1.") in _WRITERS:
        modes = (fact.keywords.get("mode"), fact.argument(1, "flag"))
        return None if any(mode is not None and mode.const == "r" for mode in modes) else EffectKind.CONTAINER
    if name in ("os.mkdir", "os.makedirs"):
        return None if _exists_ok(fact) else EffectKind.DIRECTORY
    if name.startswith(PYPLOT):
        makes = name.rpartition(".")[2][:1].isupper()  # a part of a figure, which is added to it by something else
        return None if makes else EffectKind.PLOT
    return None


def _logging_kind(fact: CallFact) -> EffectKind | None:
    last = fact.name.rpartition(".")[2]
    if fact.name.startswith("loguru."):
        return EffectKind.LOG_FILE if last == "add" else EffectKind.LOG if last in _LEVELS | _OF_LOGURU else None
    if last in _LEVELS:
        return EffectKind.LOG
    named = last == "basicConfig" and "filename" in fact.keywords
    opens = fact.name in _CONFIGURES or named or last.endswith("FileHandler")
    return EffectKind.LOG_FILE if opens else None


def _asks_terminal(fact: CallFact) -> bool:
    command = fact.args[0].const if fact.args and fact.name.startswith(("os.popen", "subprocess.")) else None
    return isinstance(command, str) and command.startswith("stty")


def _is_of_a_notebook(fact: CallFact) -> bool:
    """``get_ipython().system("...")``: a line of the shell in a notebook that was made a script."""
    return fact.name == "system" and "get_ipython" in ast.dump(fact.node.func)


def _names_a_file(fact: CallFact) -> bool:
    return any(k.arg is None or k.arg in ("path_or_buf", "path", "buf") for k in fact.node.keywords)


def _exists_ok(fact: CallFact) -> bool:
    value = fact.keywords.get("exist_ok")
    return value is not None and value.const is True


def _writes(fact: CallFact, position: int) -> bool:
    mode = fact.argument(position, "mode")
    if mode is None:
        return False
    return not isinstance(mode.const, str) or any(letter in mode.const for letter in "wax+")
