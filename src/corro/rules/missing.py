"""Shared by rules: modules that a script imports and that are neither beside it nor installed."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from typing import TYPE_CHECKING

from corro.changes import Finding, Level
from corro.frontends import frontends

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from corro.rules.base import Answer, Job
    from corro.source import SourceFile

_OF_ANY_SCRIPT = frozenset(
    {"absl", "addict", "aim", "albumentations", "alive_progress", "altair", "anndata", "argh", "ase", "astropy", "attr",
     "awkward", "bayes_opt", "better_exceptions", "Bio", "bokeh", "bs4", "cachetools", "catboost", "category_encoders",
     "chainer", "clearml", "click", "clize", "colorama", "comet_ml", "configargparse", "cv2", "dask", "dateutil",
     "defopt", "dill", "docopt", "dotenv", "easydict", "editdistance", "einops", "einx", "emoji", "faiss",
     "fastprogress", "fire", "flask", "ftfy", "future", "fuzzywuzzy", "gdown", "gensim", "geopandas", "gflags", "git",
     "google", "graphviz", "gym", "gymnasium", "h5py", "hdbscan", "hiyapyco", "huggingface_hub", "humanize", "hydra",
     "imageio", "imblearn", "imgaug", "ipdb", "IPython", "ipywidgets", "jieba", "jiwer", "joblib", "json_tricks",
     "jsonargparse", "konlpy", "Levenshtein", "librosa", "lightgbm", "livelossplot", "lmdb", "loguru", "lxml",
     "matplotlib", "mir_eval", "ml_collections", "mlflow", "mlxtend", "mne", "more_itertools", "mpl_toolkits",
     "msgpack", "munch", "music21", "natsort", "neptune", "netCDF4", "networkx", "nibabel", "nilearn", "nltk", "numba",
     "numpy", "obspy", "omegaconf", "onnx", "opencc", "openslide", "opt_einsum", "optuna", "orjson", "pandas", "past",
     "pesq", "PIL", "pkg_resources", "plac", "plotly", "pmdarima", "polars", "pretty_errors", "pretty_midi",
     "prettytable", "progressbar", "psutil", "pyarrow", "pycocoevalcap", "pycocotools", "pycountry",
     "pydantic", "pydicom", "pydot", "pyedflib", "pykdtree", "pylab", "pymatgen", "pypinyin", "pyproj", "pystoi",
     "python_speech_features", "pyts", "pytz", "pyworld", "pywt", "rapidfuzz", "rasterio", "rdkit", "regex", "requests",
     "resampy", "rich", "rouge", "ruptures", "sacrebleu", "sacremoses", "scanpy", "scipy", "seaborn", "sentencepiece",
     "setproctitle", "setuptools", "shapely", "SimpleITK", "simplejson", "six", "skimage", "sklearn", "sktime",
     "sortedcontainers", "soundfile", "spacy", "statsmodels", "swanlab", "sympy", "tabulate", "tensorboard",
     "tensorboard_logger", "termcolor", "theano", "tiktoken", "toml", "tomli", "tqdm", "trackio", "tsfresh", "tslearn",
     "typer", "tyro", "ujson", "umap", "unidecode", "uproot", "visdom", "wandb", "webrtcvad", "wfdb", "wget", "xarray",
     "xgboost", "xlrd", "xmltodict", "xxhash", "yacs", "yaml", "zarr"}
)  # fmt: skip
"""Libraries that are no framework's; those around a framework are named by its frontend."""

_COMPILED = frozenset({".c", ".cc", ".cpp", ".cu", ".cxx", ".f", ".f90", ".pyd", ".pyx", ".so"})
"""What a compiler makes a module of, and what it makes."""

_INSTALLED = re.compile(r"\bpip3? install (.*)")
"""What a notebook installs itself; a package may be called as its module, or with py in front: pyfluidsynth."""
_IN_DOUBT = "Put the folder that it is imported from on sys.path, first thing in the script, or on PYTHONPATH."
ADVICE = "Run corro where the script runs, or put the folder of the module on PYTHONPATH."
"""What can be done about a module that is nowhere."""


def refusal(job: Job, rule: str) -> tuple[Answer, ...]:
    """At the imports of the script, and of project modules, that lead nowhere."""
    return tuple(refused(job, rule, node, name) for node, name in nowhere(job))


def refused(job: Job, rule: str, node: ast.stmt, name: str) -> Answer:
    """The refusal of an import that leads nowhere."""
    package = _left_by(job, node)
    if package:
        return job.refuse(
            rule,
            f"{name!r} is above the package {package!r}, as which this file is imported: Python stops here with an "
            "ImportError.",
            node,
            "Import it by the name that Python finds it by, without dots in front.",
            effort="one line",
        )
    shown = name if is_own(job, name) else name.partition(".")[0]
    return job.refuse(
        rule, f"the module {shown!r} is neither beside the script nor installed.", node, ADVICE, effort="none"
    )


def _left_by(job: Job, node: ast.stmt) -> str:
    """The package that an import leaves by its dots, if it does: nothing is above what has no dot in its name."""
    file = job.file_of(node)
    unit = next((each for each in job.facts.units.values() if each.source is file), None)
    if file is job.script or unit is None or not isinstance(node, ast.ImportFrom):
        return ""
    parts = unit.name.split(".")
    package = parts if file.path.name == "__init__.py" else parts[:-1]
    return package[0] if package and node.level > len(package) else ""


def run_again(job: Job, rule: str) -> Iterator[Answer]:
    """Refusals of imports of the script itself: what joins the processes would be run a second time."""
    for node in dict.fromkeys(job.facts.again):
        yield job.refuse(
            rule,
            f"this imports the script itself: Python runs {job.script.path.name} a second time, as a module.",
            node,
            "Move what is needed from it into a module of its own.",
            effort="several lines",
        )


def nowhere(job: Job) -> Iterator[tuple[ast.stmt, str]]:
    """The imports of the script, and of project modules, that lead nowhere, each with the name of the module."""
    return ((node, name) for node, name in _missing(job.files) if name in job.facts.imported)


def is_own(job: Job, name: str) -> bool:
    """Whether a module that is nowhere would be one of the project: it is imported by dots, or its package is there."""
    top = name.partition(".")[0]
    return not top or any(unit.name.partition(".")[0] == top for unit in job.facts.units.values())


def is_compiled(job: Job, node: ast.stmt, name: str) -> bool:
    """Whether a module of the project is no Python: a compiler's source or result lies where it is imported from."""
    level = len(name) - len(name.lstrip("."))
    around = job.file_of(node).path.resolve().parents[:level]
    folders = around[level - 1 :] if level else _above(job, name.partition(".")[0])
    *outer, inner = name.lstrip(".").split(".")
    places = (each.joinpath(*outer) for each in folders)
    return (
        bool(inner)
        and not _left_by(job, node)
        and any(
            file.suffix in _COMPILED and file.name.partition(".")[0] == inner
            for place in places
            if place.is_dir()
            for file in place.iterdir()
        )
    )


def _above(job: Job, top: str) -> Iterator[Path]:
    """The folders that a package of the project is in."""
    for unit in job.facts.units.values():
        if unit.name.partition(".")[0] == top:
            path = unit.source.path.resolve()
            yield path.parents[unit.name.count(".") + (path.name == "__init__.py")]


def doubts(files: Sequence[SourceFile], doubtful: Mapping[str, Iterable[Path]]) -> Iterator[Finding]:
    """Refusals of imports that several folders of the project answer.

    Args:
        files: the script, and its project modules.
        doubtful: the folders by the names of the top-level modules.
    """
    for file in files if doubtful else ():
        for name, node in file.imports:
            top = name.partition(".")[0]
            if top in doubtful:
                folders = ", ".join(str(folder) for folder in doubtful[top])
                message = f"the module {top!r} is in several folders of the project: {folders}."
                elsewhere = "" if file is files[0] else str(file.path)
                yield Finding("own-modules", Level.REFUSED, message, file.span(node), _IN_DOUBT, elsewhere)


def unseen(files: Sequence[SourceFile], own: Callable[[str], object]) -> Iterator[Finding]:
    """Imports of a script that lead nowhere, as notes: what it trains may be there.

    Args:
        files: the script, and the modules of its own.
        own: gives something for the dotted name of a project module.
    """
    for node, name in _missing(files[:1]):
        if own(name) is None and not any(own(f"{name}.{each}") for each in _parts(node)):
            message = f"the module {name!r} is neither beside the script nor installed: training in it is not seen."
            yield Finding("own-modules", Level.NOTE, message, files[0].span(node), ADVICE)


def _missing(files: Sequence[SourceFile]) -> Iterator[tuple[ast.stmt, str]]:
    """Imports at the top level of files that are of no known library, and those by dots."""
    lines = " ".join(_INSTALLED.findall(files[0].text)).lower().replace("-", "_")
    packages = set(re.findall(r"\w+", lines))
    installed = packages | {package.removeprefix("py") for package in packages}
    for node in [node for file in files for node in file.tree.body]:
        for name in _imported(node):
            top = name.split(".", maxsplit=1)[0]
            if not _exists(top) and installed.isdisjoint((top.lower(), f"py{top.lower()}")):
                yield node, name


def _imported(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "." * node.level + (node.module or "")


def _parts(node: ast.stmt) -> Iterator[str]:
    """What is imported from a module: a folder without a file of its own has modules in it."""
    if isinstance(node, ast.ImportFrom):
        yield from (alias.name for alias in node.names)


def is_known(top: str) -> bool:
    """Whether a top-level module is of a library that scripts use, be it installed or not."""
    return top in _OF_ANY_SCRIPT or any(top in frontend.presence.LIBRARIES for frontend in frontends())


def is_there(dotted: str) -> bool:
    """Whether something of this dotted name is of a library that is known or installed, or of Python's own."""
    return _exists(dotted.partition(".")[0])


def _exists(top: str) -> bool:
    if not top:
        return False
    if is_known(top) or top in sys.stdlib_module_names or top == "__future__":
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
