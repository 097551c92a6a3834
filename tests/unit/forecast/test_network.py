"""Networks by name and by their numbers."""

from __future__ import annotations

import pytest

from corro.errors import UsageError
from corro.forecast.network import LATENCY, PAYLOAD, PUBLISHED, network


@pytest.mark.parametrize(
    ("text", "bandwidth", "latency"),
    [
        ("25gbit", 25e9 / 8, LATENCY),
        ("10gbit:50us", 10e9 / 8, 50e-6),
        ("200Mbit:1ms", 200e6 / 8, 1e-3),
        ("1.5gbit:0.5us", 1.5e9 / 8, 0.5e-6),
    ],
)
def test_a_network_that_is_given(text: str, bandwidth: float, latency: float) -> None:
    found = network(text).link
    assert (found.bandwidth, found.latency) == pytest.approx((bandwidth * PAYLOAD, latency))


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_one_has_its_source(name: str) -> None:
    found = network(name)
    assert len(found.source.split()) > 4
    assert 1e9 < found.link.bandwidth < 1e12
    assert 1e-6 < found.link.latency < 1e-4


@pytest.mark.parametrize("text", ["", "fast", "25", "gbit", "0gbit", "25gbit:", "25gbit:5", "-1gbit", "25 gbit x"])
def test_what_is_none(text: str) -> None:
    with pytest.raises(UsageError, match="that is no network"):
        network(text)


def test_a_name_that_is_mistyped() -> None:
    with pytest.raises(UsageError, match=r"Did you mean p4d\.24xlarge"):
        network("p4d.24xlarg")
