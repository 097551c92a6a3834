"""Models: ``$C`` outputs. ``squeezed`` ones give ``[B]``."""

from __future__ import annotations

from fuzz.grammar.piece import Piece, tags

_HEAD = "class $Net(nn.Module):\n    def __init__(self<<, hidden=8 || , hidden=8, classes=$C>>):\n        super().__init__()\n"

_STAGED = """class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(6, 8)
        self.head = nn.Linear(8, $C)

    def forward(self, x):
        return self.head(torch.relu(self.backbone(x)))

    def set_frozen(self, frozen):
        for p in self.backbone.parameters():
            p.requires_grad = not frozen

    def freeze(self):
        self.set_frozen(True)

    def unfreeze(self):
        <<self.set_frozen(False) || for p in self.parameters():\n            p.requires_grad = True>>
"""
_METHODS = """class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8)
        self.norm = nn.<<LayerNorm(8) || Dropout(0.1) || Identity()>>
        self.head = nn.Linear(8, $C)

    def features(self, x):
        return torch.relu(self.norm(self.body(x)))

    def scores(self, x):
        return self.head(self.features(x))

    def forward(self, x):
        return self.head(self.features(x))
"""
_SET_TRAINABLE = """

def set_trainable(module, flag):
    for p in module.parameters():
        p.requires_grad_(flag)
"""

MODELS = (
    Piece("sequential", build="$model = nn.Sequential(nn.Linear(6, 8), nn.<<ReLU || Tanh || GELU>>(), nn.Linear(8, $C))\n", needs=tags("vec"), tags=tags("sequential"), weight=5),
    Piece(
        "module",
        defs="""class $Net(nn.Module):
    def __init__(self, hidden=8):
        super().__init__()
        self.fc1 = nn.Linear(6, hidden)
        self.fc2 = nn.Linear(hidden, $C)

    def forward(self, x):
        <<x = torch.relu(self.fc1(x)) || x = F.relu(self.fc1(x)) || x = self.fc1(x).tanh()>>
        return self.fc2(x)
""",
        build="$model = $Net(<<|| 10 || hidden=6>>)\n",
        needs=tags("vec"),
        weight=4,
    ),
    Piece(
        "heads in a comprehension",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList([nn.Linear(6, 4) for _ in range(3)])
        self.out = nn.Linear(12, $C)

    def forward(self, x):
        h = <<torch.cat([head(x) for head in self.heads], dim=<<-1 || 1>>) || torch.stack([head(x) for head in self.heads], dim=1).flatten(1) || torch.cat([x[:, k : k + 4] * k for k in range(3)], dim=1)>>
        return self.out(torch.relu(h))
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=1.5,
    ),
    Piece("methods", defs=_METHODS, build="$model = $Net()\n", needs=tags("vec"), tags=tags("methods"), weight=5),
    Piece(
        "layernorm",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8), nn.LayerNorm(8), nn.ReLU(), nn.Dropout(0.1))
        self.head = nn.Linear(8, $C)

    def forward(self, x):
        return self.head(self.body(x))
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=2,
    ),
    Piece(
        "modulelist",
        defs="""class $Net(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.layers = nn.ModuleList(<<[nn.Linear(6, 6) for _ in range(depth)] || nn.Linear(6, 6) for _ in range(depth)>>)
        self.out = nn.Linear(6, $C)

    def forward(self, x):
        for layer in self.layers:
            x = <<x + torch.tanh(layer(x)) || F.relu(layer(x))>>
        return self.out(x)
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=2,
    ),
    Piece(
        "shared",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.last = nn.Linear(6, $C)

    def forward(self, x):
        return self.last(torch.tanh(self.first(torch.tanh(self.first(x)))))
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
    ),
    Piece(
        "own_parameters",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, $C) * 0.1)
        self.bias = nn.Parameter(torch.zeros($C))
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, x):
        return self.scale * (x @ self.weight) + self.bias
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=1.5,
    ),
    Piece(
        "nested",
        defs="""class $Block(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out)
        self.norm = nn.LayerNorm(n_out)

    def forward(self, x):
        return F.relu(self.norm(self.linear(x)))


class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential($Block(6, 8), $Block(8, 8))
        self.head = nn.Linear(8, $C)

    def forward(self, x):
        features = self.blocks(x)
        return self.head(features)
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=1.5,
    ),
    Piece(
        "frozen",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Linear(6, 8)
        self.head = nn.Linear(8, $C)

    def forward(self, x):
        return self.head(torch.relu(self.backbone(x)))
""",
        build="$model = $Net()\n<<for p in $model.backbone.parameters():\n    p.requires_grad = False || for param in $model.backbone.parameters():\n    param.requires_grad_(False) || $model.backbone.requires_grad_(False)>>\n",
        needs=tags("vec"),
        weight=1.2,
    ),
    *(
        Piece(
            f"thawed: {name}",
            defs=_STAGED + more,
            build=f"$model = $Net()\n{build}",
            epoch=epoch,
            needs=tags("vec"),
            tags=tags("thawed"),
            weight=0.12,
        )
        for name, more, build, epoch in (
            ("by a method", "", "$model.freeze()\n", "if $epoch <<== 1 || >= 1>>:\n    $model.unfreeze()\n"),
            ("by a method with a flag", "", "$model.set_frozen(True)\n", "$model.set_frozen($epoch < 1)\n"),
            ("by a function", _SET_TRAINABLE, "set_trainable($model.backbone, False)\n", "if $epoch == 1:\n    set_trainable(<<$model.backbone || $model>>, True)\n"),
            ("in a loop", "", "for p in $model.backbone.parameters():\n    p.requires_grad = False\n", "if $epoch == 1:\n    for p in $model.<<|| backbone.>>parameters():\n        p.requires_grad = True\n"),
            ("by name", "", 'for name, p in $model.named_parameters():\n    p.requires_grad = name.startswith("head")\n', "if $epoch > 0:\n    for name, p in $model.named_parameters():\n        p.requires_grad = True\n"),
            ("as a whole", "", "$model.backbone.requires_grad_(False)\n", "<<if $epoch == 1:\n    $model.requires_grad_() || $model.backbone.requires_grad_($epoch > 0)>>\n"),
        )
    ),
    Piece(
        "scaled",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(6, $C)
        self.scale = 1.0

    def forward(self, x):
        return self.fc(x) * self.scale
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        tags=tags("scales"),
        weight=1,
    ),
    Piece(
        "embedding used twice",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, $C)
        self.fc = nn.Linear($C, $C)

    def forward(self, tokens):
        h = torch.tanh(self.fc(self.embedding(tokens).mean(1)))
        return h @ self.embedding.weight.t()[:, :$C]
""",
        build="$model = $Net()\n",
        needs=tags("tok"),
    ),
    Piece(
        "own method",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleDict({"first": nn.Linear(6, 6), "last": nn.Linear(6, $C)})

    def features(self, x):
        return torch.relu(self.layers["first"](x))

    def forward(self, x):
        return self.layers["last"](self.features(x))
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        tags=tags("features"),
    ),
    Piece(
        "buffer",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("scale", torch.full((6,), 0.5))
        self.fc = nn.Linear(6, $C)

    def forward(self, x):
        return self.fc(x * self.scale)
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
        weight=0.7,
    ),
    Piece(
        "running_buffer",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(1))
        self.fc = nn.Linear(6, $C)

    def forward(self, x):
        if self.training:
            self.seen += <<1 || x.size(0) || len(x)>>
        return self.fc(x)
""",
        build="$model = $Net()\n",
        finish='print("seen", $model.seen.item())\n',
        needs=tags("vec"),
        weight=0.4,
    ),
    Piece(
        "two_heads",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(6, 8)
        self.head = nn.Linear(8, $C)
        self.aux = nn.Linear(8, 2)

    def forward(self, x):
        h = torch.relu(self.body(x))
        return <<self.head(h) + 0.1 * self.aux(h).sum(dim=1, keepdim=True) || self.head(h) + self.aux(h).mean(-1, keepdim=True)>>
""",
        build="$model = $Net()\n",
        needs=tags("vec"),
    ),
    Piece(
        "function",
        defs="""def $build(n_in, n_out, hidden=8):
    layers = [nn.Linear(n_in, hidden), nn.ReLU(), nn.Linear(hidden, n_out)]
    return nn.Sequential(*layers)
""",
        build="$model = $build(6, $C)\n",
        needs=tags("vec"),
    ),
    Piece(
        "conv",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(4 * 4 * 4, 10)

    def forward(self, x):
        x = self.pool(F.relu(self.conv1(x)))
        x = <<x.flatten(1) || x.view(x.size(0), -1) || torch.flatten(x, 1) || x.view(-1, 64) || x.reshape(x.shape[0], -1)>>
        return <<self.fc(x) || F.log_softmax(self.fc(x), dim=1)>>
""",
        build="$model = $Net()\n",
        needs=tags("img"),
        weight=2,
    ),
    Piece(
        "conv_sequential",
        build="""$model = nn.Sequential(
    nn.Conv2d(1, 4, 3, padding=1),
    nn.ReLU(),
    <<nn.AdaptiveAvgPool2d(2) || nn.MaxPool2d(4)>>,
    nn.Flatten(),
    nn.Linear(16, 10),
)
""",
        needs=tags("img"),
    ),
    Piece("flat", build="$model = nn.Sequential(nn.Flatten(), nn.Linear(64, 16), nn.ReLU(), nn.Linear(16, 10))\n", needs=tags("img")),
    Piece(
        "bag",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 8<<|| , padding_idx=0>>)
        self.fc = nn.Linear(8, $C)

    def forward(self, tokens):
        return self.fc(self.embedding(tokens).<<mean(dim=1) || sum(1)>>)
""",
        build="$model = $Net()\n",
        needs=tags("tok"),
        weight=2,
    ),
    Piece(
        "recurrent",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 6)
        self.rnn = nn.GRU(6, 8, batch_first=True)
        self.fc = nn.Linear(8, $C)

    def forward(self, tokens):
        outputs, hidden = self.rnn(self.embedding(tokens))
        return self.fc(<<outputs[:, -1] || hidden[-1] || outputs.mean(dim=1) || outputs[:, -1, :]>>)
""",
        build="$model = $Net()\n",
        needs=tags("tok"),
        weight=2,
    ),
    Piece(
        "lstm",
        defs="""class $Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(20, 6)
        self.lstm = nn.LSTM(6, 8, batch_first=True)
        self.fc = nn.Linear(8, $C)

    def forward(self, tokens):
        _, (h, c) = self.lstm(self.embedding(tokens))
        return self.fc(h[-1])
""",
        build="$model = $Net()\n",
        needs=tags("tok"),
    ),
)  # fmt: skip

for _piece in MODELS:
    assert "$model = " in _piece.build, _piece.name
