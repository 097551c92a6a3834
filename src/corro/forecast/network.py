"""Networks by name, with sources, and by their numbers: ``25gbit``, ``10gbit:50us``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches

from corro.classes import dataclass
from corro.errors import UsageError
from corro.forecast.allreduce import Link

HERE = "here"
LATENCY = 30e-6
"""Seconds, where only a bandwidth is given. Source: Y. Li et al., "HPCC: High Precision Congestion Control", SIGCOMM
2019, and C. Guo et al., "RDMA over Commodity Ethernet at Scale", SIGCOMM 2016: tens of microseconds by TCP in a data
centre, a few by RDMA."""
PAYLOAD = 1448 / 1538
"""Of what Ethernet takes for a frame of 1,500 bytes, so much is data of TCP: the rest are headers, and the gap between
frames (IEEE 802.3, RFC 7323)."""
_UNITS = {"kbit": 1e3 / 8, "mbit": 1e6 / 8, "gbit": 1e9 / 8}
_TIMES = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
_GIVEN = re.compile(r"(\d+(?:\.\d+)?)(kbit|mbit|gbit)(?::(\d+(?:\.\d+)?)(us|ms|s))?", re.IGNORECASE)
_GIGABIT = 1e9 / 8


@dataclass(frozen=True)
class Network:
    """What processes on several machines, or within one, are connected by.

    Args:
        link: of each.
        source: who says so.
        spread: by which part of itself a time may be off; measured, or 0.
    """

    link: Link
    source: str
    spread: float = 0.0


def _published(gigabits: float, microseconds: float, source: str) -> Network:
    return Network(Link(microseconds * 1e-6, gigabits * _GIGABIT), source)


PUBLISHED: Mapping[str, Network] = {
    "horovod-2018": _published(25, 5, "A. Sergeev and M. Del Balso, arXiv:1802.05799: 25 Gbit/s, RoCE, 4 P100 each"),
    "big-basin": _published(50, 5, "P. Goyal et al., arXiv:1706.02677: 50 Gbit/s Ethernet, 8 P100 each"),
    "byteps-2020": _published(100, 5, "Y. Jiang et al., OSDI 2020, and README of BytePS: 100 Gbit/s RDMA, 8 V100 each"),
    "p3.16xlarge": _published(25, 30, "Amazon EC2 instance types: 25 Gbit/s, TCP, 8 V100"),
    "p3dn.24xlarge": _published(100, 15, "Amazon EC2 instance types: 100 Gbit/s, EFA, 8 V100"),
    "p4d.24xlarge": _published(400, 15, "Amazon EC2 instance types: 400 Gbit/s, EFA, 8 A100"),
    "p5.48xlarge": _published(3200, 15, "Amazon EC2 instance types: 3,200 Gbit/s, EFA, 8 H100"),
    "dgx-a100": _published(1600, 3, "NVIDIA DGX A100 data sheet: eight ports of 200 Gbit/s InfiniBand, 8 A100"),
    "nvlink-p100": _published(640, 5, "NVIDIA Tesla P100 white paper: four NVLinks of 20 GB/s each way"),
    "nvlink-v100": _published(1200, 5, "NVIDIA Tesla V100 white paper: six NVLinks of 25 GB/s each way"),
    "nvlink-a100": _published(2400, 5, "NVIDIA A100 white paper: twelve NVLinks of 25 GB/s each way"),
    "nvlink-h100": _published(3600, 5, "NVIDIA H100 white paper: eighteen NVLinks of 25 GB/s each way"),
    "pcie3": _published(126, 10, "PCI-SIG, PCI Express 3.0: 16 lanes of 8 GT/s, 15.75 GB/s each way"),
    "pcie4": _published(252, 10, "PCI-SIG, PCI Express 4.0: 16 lanes of 16 GT/s, 31.5 GB/s each way"),
}
"""Bandwidths as published; latencies of RDMA and NVLink are typical ones of a message, not of these systems."""


def network(text: str, option: str = "--network") -> Network:
    """A network by its name, or by the bandwidth and latency of an Ethernet.

    Raises:
        UsageError: it is neither.
    """
    if text in PUBLISHED:
        return PUBLISHED[text]
    found = _GIVEN.fullmatch(text.strip())
    if found and float(found[1]):
        latency = float(found[3]) * _TIMES[found[4].lower()] if found[3] else LATENCY
        return Network(Link(latency, float(found[1]) * _UNITS[found[2].lower()] * PAYLOAD), "given")
    near = get_close_matches(text, PUBLISHED, n=1)
    raise UsageError(
        f"{option} {text}: that is no network.",
        advice=f"Did you mean {near[0]}?"
        if near
        else f"Write such as 25gbit or 10gbit:50us, {HERE}, or a name: {', '.join(PUBLISHED)}.",
    )
