"""Shared by rules: modules that a script imports and that are neither beside it nor installed."""

from __future__ import annotations

import ast
import importlib.util
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rueda.rules.base import Answer, Job

_KNOWN = frozenset(
    {"torch", "torchvision", "torchaudio", "torchtext", "torchmetrics", "torch_geometric", "timm", "transformers",
     "datasets", "tokenizers", "numpy", "scipy", "pandas", "sklearn", "skimage", "cv2", "PIL", "matplotlib",
     "seaborn",
     "tqdm", "yaml", "wandb", "mlflow", "tensorboardX", "tensorboard", "albumentations", "imageio", "einops", "h5py",
     "gym", "gymnasium", "nltk", "spacy", "networkx", "sentencepiece", "librosa", "click", "hydra", "omegaconf",
     "tensorflow", "keras", "jax", "monai", "kornia", "apex", "torchsummary", "torchinfo", "visdom", "fire", "absl",
     "joblib", "plotly", "requests", "rich", "setproctitle", "IPython", "git", "mlxtend", "ignite",
     "hiddenlayer", "prettytable",
     "termcolor", "colorama", "dill", "numba", "faiss", "gensim", "torchdata", "onnx", "psutil", "optuna", "xgboost",
     "statsmodels", "livelossplot", "lightgbm", "thop", "pycocotools", "lmdb", "tabulate", "attr",
     "dgl", "ogb", "torch_sparse", "torch_scatter", "torch_cluster", "torch_frame", "pyg_lib", "rdkit", "relbench",
     "huggingface_hub", "clip", "open_clip", "torchnet", "torchcontrib", "torchviz", "ipdb", "catboost",
     "configargparse", "pretty_errors", "tensorboard_logger", "pycocoevalcap", "advertorch", "umap", "sacrebleu",
     "jiwer", "soundfile", "Levenshtein", "loguru", "docopt", "fastprogress", "humanize", "pydantic", "coral_pytorch",
     "ml_collections", "chainer", "pyro", "gpytorch", "botorch", "torchdiffeq", "torch_optimizer",
     "segmentation_models_pytorch", "efficientnet_pytorch", "pretrainedmodels", "imgaug", "torchio", "nibabel",
     "SimpleITK", "pydicom", "rasterio", "geopandas", "shapely", "astropy", "ase", "pymatgen", "Bio", "anndata",
     "tensorflow_datasets", "tensorflow_hub", "tensorflow_probability", "tensorflow_text", "tensorflow_addons",
     "tflearn",
     "scanpy", "mne", "obspy", "netCDF4", "xarray", "zarr", "dask", "pyarrow", "polars", "awkward", "uproot"}
)  # fmt: skip


def refusal(job: Job, rule: str) -> tuple[Answer, ...]:
    """At the first import of the script that leads nowhere."""
    for node in job.source.tree.body:
        for name in _imported(node):
            if name in job.facts.imported and not _exists(name):
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


def _exists(name: str) -> bool:
    top = name.split(".", maxsplit=1)[0]
    if not top:
        return False
    if top in _KNOWN or top in sys.stdlib_module_names or top == "__future__":
        return True
    try:
        return importlib.util.find_spec(top) is not None
    except (ImportError, ValueError):
        return False
