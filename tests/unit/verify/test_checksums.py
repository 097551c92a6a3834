"""Checksums of weights do not depend on how these lie in memory."""

from __future__ import annotations

import pytest
import torch

from corro.verify.probe.pytorch.state import checksum

WEIGHT = torch.arange(32.0).reshape(8, 4, 1, 1)


@pytest.mark.parametrize(
    "other",
    [WEIGHT.to(memory_format=torch.channels_last), torch.stack([WEIGHT, WEIGHT], dim=-1)[..., 0]],
    ids=["channels last", "every other number"],
)
def test_the_same_numbers_have_the_same_checksum(other: torch.Tensor) -> None:
    assert other.stride() != WEIGHT.stride()
    assert checksum(other) == checksum(WEIGHT)


def test_other_numbers_have_another_one() -> None:
    assert checksum(WEIGHT + 1) != checksum(WEIGHT)
    assert checksum(torch.tensor(1.0)) != checksum(torch.tensor(2.0))
