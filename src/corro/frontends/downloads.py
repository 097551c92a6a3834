"""Recognise calls of libraries that fetch data or weights over the network, and give what they have fetched.

Most libraries write what they fetch straight to where they look for it, or remove an archive that another process still
reads. What was read of each library's own code:

- **scikit-learn** gives archives one name for all processes, unpacks them and removes them.
- **torchtext** writes to the last place; from 0.12 on, when a data set is first gone through.
- **gensim** moves a folder onto its place, which fails where another process was faster. **seaborn**, **CLIP** and
  **Whisper** write to the last place, and **OpenCLIP** does with weights that are on no hub. **OGB** and **DGL** do so
  too, and prepare data beside it, as PyG does.
- **pytorch_pretrained_bert** and **pytorch_transformers**, which became ``transformers``, copy what they have fetched
  to the last place.
- **torch.hub.load** unpacks an archive into one folder and removes both.
- **TensorFlow Datasets** and **Keras** prepare a folder of their own or write to the last place, by version.

Those that need nothing: ``huggingface_hub`` and ``datasets`` hold a lock on a file while they fetch, and all that loads
by them (``transformers``, ``timm``); ``torch.hub.load_state_dict_from_url``, by which torchvision, torchaudio and the
older versions of ``timm`` load weights, writes a file of a random name and renames it at the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.frontends.effects import named

if TYPE_CHECKING:
    from collections.abc import Iterable

    from corro.flow.facts import CallFact

    _Part = str | tuple[str, ...]

_KERAS = ("keras.", "tf_keras.", "tensorflow.keras.", "tensorflow.python.keras.", "tensorflow.compat.v1.keras.")
_FETCHING = (
    ("sklearn.datasets.fetch_", ""), ("torch.hub.load", "hub.load"), ("torchtext.datasets.", ""),
    ("torchtext.experimental.datasets.", ""), ("torchtext.experimental.vectors.", ("GloVe", "FastText")),
    ("gensim.downloader.load", ".load"), ("ogb.", "Dataset"), ("dgl.data.", "Dataset"), ("clip.load", "clip.load"),
    ("whisper.load_model", ""), ("open_clip.create_model", ""), ("open_clip.load_openai_model", ""),
    (("pytorch_pretrained_bert.", "pytorch_transformers."), ".from_pretrained"), ("seaborn.load_dataset", ""),
    ("tensorflow_datasets.load", ".load"),
    ("deepchem.molnet.load_", ""), (("tdc.single_pred.", "tdc.multi_pred."), ""), ("", ".untar_data"),
    (_KERAS, (".load_data", ".get_word_index", ".get_file")),
)  # fmt: skip
"""How the name begins, and how it ends, of what fetches what it gives, unless it is there."""
_NOT_FETCHING = (("torchtext.", "Dataset"), ("torchtext.datasets.", ".splits"))
"""What reads the user's own files, and what :mod:`corro.frontends.pytorch.fields` knows."""
_SAFE = ("huggingface_hub.", "datasets.", "transformers.")
"""How the names begin of what holds a lock while it fetches."""
_WHEN_READ = "torchtext.datasets."
"""How the names begin of what fetches, in some versions, no sooner than samples are read of what it gives."""
_LOCAL = {"source": "local", "download": False, "download_if_missing": False}
"""Arguments by which nothing is fetched."""


def fetches(fact: CallFact) -> bool:
    """Whether a function or a class of a library is called that fetches what it gives, unless it is there.

    A function of whatever library that is named after it is taken for one: that one process calls it before the others
    harms none that does something else. What is done by one process alone, as :func:`effects.named` says, is not.
    """
    name = fact.name
    if fact.receiver is not None or named(name) is not None or name.startswith(_SAFE):
        return False
    if any(each in fact.keywords and fact.keywords[each].const == value for each, value in _LOCAL.items()):
        return False
    return (_is_of(_FETCHING, name) and not _is_of(_NOT_FETCHING, name)) or _says_so(name)


def when_read(fact: CallFact) -> bool:
    """Whether what fetches may do so no sooner than samples are read of what it gives."""
    return fact.name.startswith(_WHEN_READ)


def _is_of(forms: Iterable[tuple[_Part, _Part]], name: str) -> bool:
    return any(name.startswith(start) and name.endswith(end) for start, end in forms)


def _says_so(name: str) -> bool:
    module, _, last = name.rpartition(".")
    return bool(module) and last[0].islower() and (last.startswith("fetch_") or "download" in last)
