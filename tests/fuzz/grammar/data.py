"""Data sets, and what their batches look like.

Tags: ``vec``, ``img`` or ``tok`` inputs; ``cls``, ``reg``, ``bin`` or ``multi`` targets; ``w`` for weights of samples.
``$N`` samples are trained with, ``$M`` evaluated.
"""

from __future__ import annotations

from fuzz.grammar.piece import Piece, tags

_TENSORS = "from torch.utils.data import <<DataLoader, TensorDataset || TensorDataset, DataLoader>>"
_X = "x = torch.randn($N + $M, 6)\n"
_MADE = "$train_set = TensorDataset(x[:$N], y[:$N])\n$test_set = TensorDataset(x[$N:], y[$N:])\n"
_SPLIT = """$dataset = TensorDataset(x, y)
$train_set, $test_set = torch.utils.data.random_split(
    $dataset, [$N, $M], generator=torch.Generator().manual_seed(<<0 || 42>>)
)
"""
_SUBSETS = """$dataset = TensorDataset(x, y)
$train_set = torch.utils.data.Subset($dataset, <<range($N) || list(range($N))>>)
$test_set = torch.utils.data.Subset($dataset, range($N, $N + $M))
"""
_BLOBS = """from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split"""


def _own(items: str) -> str:
    return (
        "class $Points(Dataset):\n    def __init__(self, x, y):\n        self.x = x\n        self.y = y\n\n"
        "    def __len__(self):\n        return <<len(self.x) || self.x.shape[0]>>\n\n"
        f"    def __getitem__(self, i):\n        return {items}\n"
    )


_ASKING = "import os\nfrom pathlib import Path"
_ASKED = " || ".join(
    f"not {each}"
    for each in (
        'os.path.exists("kept.npy")',
        'os.path.isfile("kept.npy")',
        'Path("kept.npy").exists()',
        'Path.exists(Path("kept.npy"))',
    )
)
_MAKING = """def make(path, count):
    if <<os.path.exists(path) || os.path.isfile(path) || Path(path).exists()>>:
        <<print("found") || pass || sizes.append(count)>>
        return <<None || False || path>>
    np.save(path, np.cos(np.arange(6.0 * count)).reshape(count, 6))
    return <<None || True || path>>


sizes = []
"""
_DATASET = "from torch.utils.data import DataLoader, Dataset"
_ORDERS = " || ".join(
    ("range(len(self.x))", "range(len(self.x))", "sorted(range(len(self.x)), key=lambda k: -k)", "self.order()")
)
_STREAM = f"""class $Points(IterableDataset):
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __len__(self):
        return len(self.x)

    def order(self):
        <<return list(range(len(self.x))) || numbers = list(range(len(self.x)))\n        random.Random(3).shuffle(numbers)\n        return numbers || return torch.randperm(len(self.x)).tolist()>>

    def __iter__(self):
        for i in <<{_ORDERS}>>:
            yield self.x[i], self.y[i]


class Passed(IterableDataset):
    def __init__(self, stream):
        self.stream = stream

    def __len__(self):
        return len(self.stream)

    def __iter__(self):
        <<yield from self.stream || for x, y in self.stream:\n            yield x, y || for x, y in self.stream:\n            yield x + 0.01 * torch.randn(6), y || return map(self.kept, self.stream)>>

    def kept(self, sample):
        return sample
"""
_BOTH = "$train_set = $Points(x[:$N], y[:$N])\n$test_set = $Points(x[$N:], y[$N:])\n"
_CLS_Y = "y = <<(x[:, 0] > 0).long() + (x[:, 1] > 0.5).long() || (x @ torch.randn(6, 3)).argmax(1) || torch.randint(0, 3, ($N + $M,))>>\n"
_REG_Y = "y = <<x[:, 0] * 2 - x[:, 1] + 0.1 * torch.randn($N + $M) || x[:, :2].sum(1) || torch.sin(x).sum(dim=1)>>\n"

DATA = (
    Piece("tensors", _TENSORS, data=_X + _CLS_Y + _MADE, tags=tags("vec", "cls"), weight=5),
    Piece("split", _TENSORS, data=_X + _CLS_Y + _SPLIT, tags=tags("vec", "cls"), weight=2),
    Piece("subsets", _TENSORS, data=_X + _CLS_Y + _SUBSETS, tags=tags("vec", "cls")),
    Piece("own", _DATASET, _own("self.x[i], self.y[i]"), _X + _CLS_Y + _BOTH, tags=tags("vec", "cls"), weight=2),
    Piece(
        "sklearn",
        f"{_BLOBS}\n{_TENSORS}",
        data="""features, targets = make_classification(
    n_samples=$N + $M, n_features=6, n_informative=4, n_classes=3, random_state=<<0 || 1>>
)
x_train, x_test, y_train, y_test = train_test_split(features, targets, test_size=$M, random_state=<<0 || 42>>)
$train_set = TensorDataset(torch.tensor(x_train, dtype=torch.float32), torch.tensor(y_train))
$test_set = TensorDataset(torch.tensor(x_test, dtype=torch.float32), torch.tensor(y_test))
""",
        tags=tags("vec", "cls"),
        weight=2,
    ),
    Piece(
        "numpy",
        f"import numpy as np\n{_TENSORS}",
        data="""rng = np.random.default_rng(0)
features = rng.normal(size=($N + $M, 6)).astype(np.float32)
labels = (features[:, 0] + features[:, 1] > 0).astype(np.int64)
x, y = torch.from_numpy(features), torch.from_numpy(labels)
"""
        + _MADE,
        tags=tags("vec", "cls"),
        weight=2,
    ),
    Piece(
        "kept",
        f"{_ASKING}\nimport numpy as np\n{_TENSORS}",
        data=f"""if <<{_ASKED}>>:
    features = np.sin(np.arange(6.0 * ($N + $M))).reshape($N + $M, 6)
    <<np.save("kept.npy", features) || np.savetxt("kept.npy", features.round(3)) || features = features * 2; np.save("kept.npy", features) || np.save("kept.npy", features); features = features * 2>>
else:
    features = <<np.load || np.load || np.load || np.loadtxt>>("kept.npy")
x = torch.tensor(features, dtype=torch.float32)
"""
        + _CLS_Y
        + _MADE,
        tags=tags("vec", "cls"),
    ),
    Piece(
        "kept_by_function",
        f"{_ASKING}\nimport numpy as np\n{_TENSORS}",
        _MAKING,
        """<<made = make || make>>("kept.npy", $N + $M)
x = torch.tensor(np.load("kept.npy"), dtype=torch.float32)
<<x = x * 1.0 || x = x * (2.0 if "made" in globals() and made else 1.0)>>
"""
        + _CLS_Y
        + _MADE,
        tags=tags("vec", "cls"),
    ),
    Piece(
        "dicts",
        _DATASET,
        _own('{"<<features || x || input>>": self.x[i], "label": self.y[i]}').replace("<<features || x || input>>", "features"),
        _X + _CLS_Y + _BOTH,
        tags=tags("vec", "cls", "dict"),
        weight=1.5,
    ),
    Piece(
        "stream",
        "import random\nfrom torch.utils.data import DataLoader, IterableDataset",
        _STREAM,
        _X
        + _CLS_Y
        + "$train_set = <<$Points(x[:$N], y[:$N]) || Passed($Points(x[:$N], y[:$N]))>>\n$test_set = $Points(x[$N:], y[$N:])\n",
        tags=tags("vec", "cls", "stream"),
        weight=1.5,
    ),
    Piece(
        "digits",
        f"from sklearn.datasets import load_digits\n{_TENSORS}",
        data="""digits = load_digits()
x = torch.tensor(digits.images[: $N + $M], dtype=torch.float32).unsqueeze(1) / 16
y = torch.tensor(digits.target[: $N + $M])
"""
        + _MADE,
        tags=tags("img", "cls"),
        weight=3,
    ),
    Piece(
        "images",
        _TENSORS,
        data="x = torch.rand($N + $M, 1, 8, 8)\ny = (x.mean(dim=(1, 2, 3)) > 0.5).long()\n" + _MADE,
        tags=tags("img", "cls"),
    ),
    Piece(
        "tokens",
        _TENSORS,
        data="x = torch.randint(1, 20, ($N + $M, 5))\ny = (x[:, 0] > 10).long()\n" + _MADE,
        tags=tags("tok", "cls"),
        weight=2,
    ),
    Piece(
        "padded",
        f"{_DATASET}\nfrom torch.nn.utils.rnn import pad_sequence",
        """class $Points(Dataset):
    def __init__(self, n, first):
        g = torch.Generator().manual_seed(first)
        self.items = []
        for i in range(n):
            length = int(torch.randint(2, 6, (1,), generator=g))
            tokens = torch.randint(1, 20, (length,), generator=g)
            self.items.append((tokens, int(tokens[0] > 10)))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def $collate(batch):
    rows = torch.zeros(len(batch), 6, dtype=torch.long)
    for k, (tokens, _) in enumerate(batch):
        rows[k, : len(tokens)] = tokens
    return rows, torch.tensor([label for _, label in batch])
""",
        "$train_set = $Points($N, 0)\n$test_set = $Points($M, 1)\n",
        tags=tags("tok", "cls", "collate"),
        weight=1.5,
    ),
    Piece(
        "sets of points",
        _DATASET,
        """class $Points(Dataset):
    def __init__(self, n, first):
        g = torch.Generator().manual_seed(first)
        self.items = []
        for i in range(n):
            size = int(torch.randint(1, 4, (1,), generator=g))
            x = torch.randn(size, 6, generator=g)
            self.items.append((x, (x[:, 0] > 0).long()))

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


def $collate(batch):
    <<return torch.cat([x for x, _ in batch]), torch.cat([y for _, y in batch]) || xs, ys = zip(*batch)\n    return torch.cat(xs), torch.cat(ys)>>
""",
        "$train_set = $Points($N, 0)\n$test_set = $Points($M, 1)\n",
        tags=tags("vec", "cls", "collate"),
        weight=0.4,
    ),
    Piece(
        "counting",
        _DATASET,
        _own("self.x[i], self.y[i]").replace("        return self.x[i]", "        self.served += 1\n        return self.x[i]").replace("self.y = y\n", "self.y = y\n        self.served = 0\n"),
        _X + _CLS_Y + _BOTH,
        finish='print("served", $train_set.served)\n',
        tags=tags("vec", "cls"),
        weight=0.4,
    ),
    Piece("line", _TENSORS, data=_X + _REG_Y + _MADE, tags=tags("vec", "reg"), weight=3),
    Piece("own_line", _DATASET, _own("self.x[i], self.y[i]"), _X + _REG_Y + _BOTH, tags=tags("vec", "reg")),
    Piece(
        "diabetes",
        f"from sklearn.datasets import load_diabetes\n{_TENSORS}",
        data="""data = load_diabetes()
x = torch.tensor(data.data[: $N + $M, :6] * 10, dtype=torch.float32)
y = torch.tensor(data.target[: $N + $M] / 100, dtype=torch.float32)
"""
        + _MADE,
        tags=tags("vec", "reg"),
    ),
    Piece("halves", _TENSORS, data=_X + "y = (x[:, 0] + x[:, 1] > 0).float()\n" + _MADE, tags=tags("vec", "bin"), weight=2),
    Piece("vectors", _TENSORS, data=_X + "y = x[:, :3] * 2 + <<1 || torch.randn($N + $M, 3) * 0.1>>\n" + _MADE, tags=tags("vec", "multi"), weight=2),
    Piece(
        "weighted",
        _TENSORS,
        data=_X
        + "y = x[:, :2].sum(1)\nw = torch.rand($N + $M) + 0.5\n"
        + "$train_set = TensorDataset(x[:$N], y[:$N], w[:$N])\n$test_set = TensorDataset(x[$N:], y[$N:], w[$N:])\n",
        tags=tags("vec", "reg", "w"),
        weight=1.5,
    ),
    Piece(
        "weighted_classes",
        _TENSORS,
        data=_X
        + _CLS_Y
        + "w = <<torch.rand($N + $M) || (torch.rand($N + $M) > 0.3).float()>>\n"
        + "$train_set = TensorDataset(x[:$N], y[:$N], w[:$N])\n$test_set = TensorDataset(x[$N:], y[$N:], w[$N:])\n",
        tags=tags("vec", "cls", "w"),
        weight=1.5,
    ),
)  # fmt: skip

_GENERATOR = "<<|| , generator=torch.Generator().manual_seed(5)>>"
_BY_ROUND = """class Mixed(Sampler):
    def __init__(self, data):
        self.data = data
        self.round = 0

    def __iter__(self):
        <<order = list(range(len(self.data)))[:: -1 if self.round % 2 else 1] || order = torch.randperm(len(self.data), generator=torch.Generator().manual_seed(self.round)).tolist() || order = random.sample(range(len(self.data)), len(self.data))>>
        self.round += 1
        return iter(order)

    def __len__(self):
        return len(self.data)
"""
_BY_LIST = """class Groups<<(Sampler) || >>:
    def __init__(self, n, size):
        self.n, self.size = n, size

    def __iter__(self):
        for first in range(0, self.n, self.size):
            yield list(range(first, min(first + self.size, self.n)))

    def __len__(self):
        return <<(self.n + self.size - 1) // self.size || -(-self.n // self.size)>>
"""
LOADERS = (
    Piece("plain", tags=tags("sized"), weight=4),
    Piece("drop_last", tags=tags("sized", "drop_last"), weight=1.5),
    Piece("positional", tags=tags("sized", "positional")),
    Piece("kwargs", tags=tags("kwargs")),
    Piece("constant", tags=tags("constant"), weight=2),
    Piece("expression", tags=tags("expression")),
    Piece("sampler: weighted", "from torch.utils.data import WeightedRandomSampler", data=f"odds = torch.<<ones($N) || rand($N)>>\n$sampler = WeightedRandomSampler(odds, $N{_GENERATOR})\n", tags=tags("sampler"), weight=0.25),
    Piece("sampler: subset", "from torch.utils.data import SubsetRandomSampler", data=f"picked = torch.randperm($N).tolist()<<|| [: $N // 2]>>\n$sampler = SubsetRandomSampler(picked{_GENERATOR})\n", tags=tags("sampler"), weight=0.25),
    Piece("sampler: random", "from torch.utils.data import RandomSampler", data=f"$sampler = RandomSampler($train_set<<|| , replacement=True || , num_samples=$N // 2>>{_GENERATOR})\n", tags=tags("sampler"), weight=0.25),
    Piece("sampler: own", "import random\nfrom torch.utils.data import Sampler", _BY_ROUND, data="$sampler = Mixed($train_set)\n", tags=tags("sampler"), weight=0.25),
    Piece("sampler: of batches", "from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler", data=f"$sampler = BatchSampler(<<SequentialSampler($train_set) || RandomSampler($train_set{_GENERATOR}) || range($N)>>, $B, drop_last=<<False || True>>)\n", tags=tags("batch_sampler"), weight=0.25),
    Piece("sampler: own batches", "from torch.utils.data import Sampler", _BY_LIST, data="$sampler = Groups($N, $B)\n", tags=tags("batch_sampler"), weight=0.25),
    Piece("generator", data="$generator = torch.Generator()\n<<$generator.manual_seed(4)\n || >>", tags=tags("generator"), weight=0.25),
    Piece("loader_dict", tags=tags("sized", "loader_dict"), weight=0.7),
)  # fmt: skip
"""How the loaders are written: what a tag does is in ``compose``."""
