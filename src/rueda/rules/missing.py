"""Shared by rules: modules that a script imports and that are neither beside it nor installed."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from typing import TYPE_CHECKING

from rueda.frontends import frontends

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.rules.base import Answer, Job

_OF_ANY_SCRIPT = frozenset(
    {"absl", "albumentations", "altair", "anndata", "ase", "astropy", "attr", "awkward", "bayes_opt", "Bio", "bokeh",
     "bs4", "catboost", "chainer", "click", "colorama", "configargparse", "cv2", "dask", "dateutil", "dill", "docopt",
     "easydict", "einops", "faiss", "fastprogress", "fire", "flask", "future", "gdown", "gensim", "geopandas", "git",
     "google",
     "graphviz", "gym", "gymnasium", "h5py", "huggingface_hub", "humanize", "hydra", "imageio", "imblearn", "imgaug",
     "ipdb", "IPython", "ipywidgets", "jieba", "jiwer", "joblib", "Levenshtein", "librosa", "lightgbm",
     "livelossplot", "lmdb", "loguru", "lxml", "matplotlib", "ml_collections", "mlflow", "mlxtend", "mne",
     "mpl_toolkits", "netCDF4", "networkx", "nibabel", "nltk", "numba", "numpy", "obspy", "omegaconf", "onnx",
     "optuna", "pandas", "past", "PIL", "pkg_resources", "plotly", "polars", "pretty_errors", "prettytable", "psutil",
     "pyarrow", "pycocoevalcap", "pycocotools", "pydantic", "pydicom", "pydot", "pylab", "pymatgen", "pytz",
     "rasterio", "rdkit", "requests", "rich", "sacrebleu", "scanpy", "scipy", "seaborn", "sentencepiece",
     "setproctitle", "setuptools", "shapely", "SimpleITK", "six", "skimage", "sklearn", "soundfile", "spacy",
     "statsmodels", "sympy", "tabulate", "tensorboard", "tensorboard_logger", "termcolor", "theano", "tqdm", "umap",
     "uproot", "visdom", "wandb", "wget", "xarray", "xgboost", "yaml", "zarr"}
)  # fmt: skip
"""Libraries that are no framework's; those around a framework are named by its frontend."""

_INSTALLED = re.compile(r"\bpip3? install (.*)")
"""What a notebook installs itself; a package may be called as its module, or with py in front: pyfluidsynth."""


def refusal(job: Job, rule: str) -> tuple[Answer, ...]:
    """At the first import of the script, or of a module of its own, that leads nowhere."""
    lines = " ".join(_INSTALLED.findall(job.source.text)).lower().replace("-", "_")
    packages = set(re.findall(r"\w+", lines))
    installed = packages | {package.removeprefix("py") for package in packages}
    for node in [node for file in job.files for node in file.tree.body]:
        for name in _imported(node):
            top = name.split(".", maxsplit=1)[0]
            if (
                name in job.facts.imported
                and not _exists(top)
                and installed.isdisjoint((top.lower(), f"py{top.lower()}"))
            ):
                shown = name if name.startswith(".") else name.split(".")[0]
                answer = job.refuse(
                    rule, f"the module {shown!r} is neither beside the script nor installed.", node,
                    "Run rueda where the script runs, or put the module beside it.",
                )  # fmt: skip
                return (answer,)
    return ()


def _imported(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "." * node.level + (node.module or "")


def _exists(top: str) -> bool:
    if not top:
        return False
    around = (top in frontend.presence.LIBRARIES for frontend in frontends())
    if top in _OF_ANY_SCRIPT or top in sys.stdlib_module_names or top == "__future__" or any(around):
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
