"""What more processes would bring, by the profile that ``corro forecast`` keeps: over some usual networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from corro.forecast.allreduce import AUTO, RING, Cluster
from corro.forecast.network import network
from corro.forecast.outlook import SCALINGS, Outlook, Setting, doubled, link_of, outlooks, pays_up_to
from corro.forecast.profile import Profile
from corro.forecast.words import said

NETWORKS = ("1gbit", "10gbit", "25gbit", "100gbit")
MOST = 64
"""So many processes are looked at, each on a machine of its own."""


@dataclass(frozen=True)
class Ahead:
    """What is to be expected over one network.

    Args:
        network: as ``corro forecast --network`` takes it.
        by_scaling: for each number of processes over which the batch can be shared out.
        pays: up to how many processes it pays, in a sentence for each scaling.
    """

    network: str
    by_scaling: Mapping[str, tuple[Outlook, ...]]
    pays: tuple[str, ...]


def ahead(profile: Profile) -> Iterator[Ahead]:
    """What is to be expected over each of the networks."""
    on_cpu = profile.device == "cpu"
    for name in NETWORKS:
        link = link_of(profile, network(name, "--network").link)
        assert link is not None, "it was given"
        setting = Setting(Cluster(link, link, 1, RING if on_cpu else AUTO), on_cpu=on_cpu)
        found = {each: outlooks(profile, setting, list(doubled(MOST)), each) for each in SCALINGS}
        limits = {each: pays_up_to(profile, setting, MOST, each) for each in SCALINGS}
        sentences = (next(said(profile, found[each], limits[each], each), "") for each in SCALINGS)
        yield Ahead(name, found, tuple(filter(None, sentences)))
