"""The parameters and buffers of layers, as their arguments say and as PyTorch makes them."""

from __future__ import annotations

import ast

import pytest
import torch

from corro.estimate.layers import WITHOUT, elements

MADE = [
    "Linear(12, 7)",
    "Linear(in_features=12, out_features=7, bias=False)",
    "Bilinear(3, 4, 5)",
    "Conv1d(4, 8, 3)",
    "Conv2d(4, 8, (3, 5), padding=1, bias=False)",
    "Conv2d(4, 8, 3, groups=2)",
    "Conv3d(2, 3, kernel_size=2)",
    "ConvTranspose2d(4, 8, 3, stride=2)",
    "BatchNorm2d(6)",
    "BatchNorm1d(6, affine=False)",
    "BatchNorm3d(6, track_running_stats=False)",
    "LayerNorm(9)",
    "LayerNorm((3, 4), bias=False)",
    "LayerNorm(9, elementwise_affine=False)",
    "GroupNorm(2, 8)",
    "Embedding(30, 5)",
    "EmbeddingBag(30, 5)",
    "RNN(3, 4)",
    "GRU(3, 4, 2, bidirectional=True)",
    "LSTM(3, 4, num_layers=3, batch_first=True, bias=False)",
    "RNNCell(3, 4)",
    "GRUCell(3, 4)",
    "LSTMCell(3, 4, bias=False)",
    "PReLU()",
    "PReLU(4)",
    "MultiheadAttention(8, 2)",
]


def given(text: str) -> tuple[str, tuple[list[object], dict[str, object]]]:
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Name)
    named = {each.arg or "": ast.literal_eval(each.value) for each in call.keywords}
    return call.func.id, ([ast.literal_eval(each) for each in call.args], named)


@pytest.mark.parametrize("text", MADE)
def test_a_layer_has_what_pytorch_gives_it(text: str) -> None:
    name, arguments = given(text)
    layer = getattr(torch.nn, name)(*arguments[0], **arguments[1])
    learned = sum(each.numel() for each in layer.parameters())
    assert elements(name, arguments) == (learned, sum(each.nbytes for each in layer.buffers()))


@pytest.mark.parametrize(
    "arguments",
    [([...], {"out_features": 3}), ([4], {}), (["4", 3], {})],
    ids=["one is not known", "one is missing", "one is no number"],
)
def test_what_is_not_known_is_not_guessed(arguments: tuple[list[object], dict[str, object]]) -> None:
    assert elements("Linear", arguments) is None


@pytest.mark.parametrize("text", ["LSTM(3, 4, proj_size=2)", "MultiheadAttention(8, 2, kdim=4)", "GRU(3, 4, 1, False)"])
def test_forms_without_a_formula_are_not_known(text: str) -> None:
    assert elements(*given(text)) is None


def test_layers_said_to_be_without_parameters_are() -> None:
    needs = {"Sequential", "ModuleList", "ModuleDict"}
    arguments = {"Unflatten": (1, (2, 2)), "Threshold": (0.1, 20), "Fold": ((4, 4), 2), "LocalResponseNorm": (2,)}
    for name in WITHOUT - needs:
        made = getattr(torch.nn, name)
        for tried in (arguments.get(name, ()), (2,), (2, 2)):
            try:
                layer = made(*tried)
                break
            except TypeError:
                continue
        else:
            raise AssertionError(name)
        assert not [*layer.parameters(), *layer.buffers()], name
