"""Recognise calls that draw random numbers, and calls that set seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corro.anatomy.kinds import Kind

if TYPE_CHECKING:
    from corro.flow.facts import CallFact

SEEDS = {"torch.manual_seed": "torch", "torch.random.manual_seed": "torch", "numpy.random.seed": "numpy",
         "random.seed": "random"}  # fmt: skip
"""Calls that set the seed of a library's own generator."""

BIT_GENERATORS = ("SeedSequence", "PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64")
"""What a generator of NumPy takes its numbers from; seeded by the system's chance unless told otherwise."""

_TORCH = (
    "torch.rand",
    "torch.normal",
    "torch.bernoulli",
    "torch.multinomial",
    "torch.utils.data.random_split",
    "torchsummary.summary",
    "torchinfo.summary",
)
_NUMPY = ("numpy.random.", "sklearn.model_selection.", "sklearn.utils.shuffle", "sklearn.utils.resample",
          "sklearn.datasets.make_", "sklearn.feature_selection.mutual_info_", "scipy.sparse.rand")  # fmt: skip
_ESTIMATORS = ("sklearn.cluster.", "sklearn.decomposition.", "sklearn.ensemble.Extra", "sklearn.ensemble.Isolation",
               "sklearn.ensemble.Random", "sklearn.kernel_approximation.", "sklearn.manifold.", "sklearn.mixture.",
               "sklearn.random_projection.", "imblearn.combine.", "imblearn.over_sampling.",
               "imblearn.under_sampling.", "umap.")  # fmt: skip
"""Classes that draw when they make data, unless they are given a ``random_state``."""
SHUFFLED = "torch_geometric.datasets."
"""How the names of data sets begin that have a method to shuffle them."""
_NO_DRAW = ("seed", "manual_seed", "RandomState", "default_rng", "Generator", "get_state", "set_state", "KFold",
            "cross_val_score", "rng_state", "initial_seed", "ParameterGrid", "random.Random", "SystemRandom",
            *BIT_GENERATORS)  # fmt: skip


_OF_SAMPLE = frozenset({"n", "frac", "replace", "ignore_index"})
"""Arguments of pandas' ``sample``; with a ``random_state`` it draws from that."""

TABLES = "datasets.Dataset"
"""The name of data sets of Hugging Face's library, which are shuffled and split by NumPy's numbers."""


def draws(fact: CallFact) -> str | None:
    """The library from whose own generator a call draws: ``torch``, ``numpy`` or ``random``."""
    if fact.receiver is not None and fact.receiver.name == TABLES and fact.name in ("shuffle", "train_test_split"):
        seed = next((fact.keywords[name] for name in ("seed", "generator") if name in fact.keywords), None)
        seed = fact.args[0] if seed is None and fact.args and fact.name == "shuffle" else seed
        return "numpy" if seed is None or seed.may_be_none else None
    if fact.receiver is not None and fact.name == "shuffle" and fact.receiver.name.startswith(SHUFFLED):
        return "torch"
    of_scipy = fact.name == "rvs" or (fact.name.startswith("scipy.stats.") and fact.name.endswith(".rvs"))
    folds = fact.name.startswith("sklearn.") and fact.name.endswith("KFold")
    of_table = _samples_a_table(fact)
    if (fact.receiver is not None and not of_scipy and not of_table) or (fact.name.endswith(_NO_DRAW) and not folds):
        return None
    given = fact.keywords.get("random_state") or fact.keywords.get("generator")
    if given is not None and not given.may_be_none:
        return None
    if folds and not fact.name.rpartition(".")[2].startswith("Repeated"):
        shuffle = fact.argument(1, "shuffle")
        return "numpy" if shuffle is not None and shuffle.const is not False else None
    if fact.name.startswith(_TORCH):
        return "torch"
    makes_estimator = fact.name.startswith(_ESTIMATORS) and fact.name.rpartition(".")[2][:1].isupper()
    if fact.name.startswith(_NUMPY) or makes_estimator or of_scipy or of_table:
        return "numpy"
    return "random" if fact.name.startswith("random.") else None


def _samples_a_table(fact: CallFact) -> bool:
    """Whether rows of pandas are drawn, of which nothing else is known: ``table.sample(frac=1)``."""
    if fact.name != "sample" or fact.receiver is None or fact.receiver.kind is not Kind.UNKNOWN:
        return False
    number = bool(fact.args) and fact.args[0].kind is Kind.NUMBER and not fact.context.passes
    return number or not _OF_SAMPLE.isdisjoint(fact.keywords)


def drawn_by_name(name: str) -> str | None:
    """The library from whose own generator a function of this dotted name draws."""
    if name.endswith(_NO_DRAW):
        return None
    if name.startswith("numpy.random."):
        return "numpy"
    if name.startswith(_TORCH):
        return "torch"
    return "random" if name.startswith("random.") else None
