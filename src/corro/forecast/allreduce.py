"""How long an all-reduce takes, by latency and bandwidth: a message of m bytes takes alpha + m / B over a link.

Sources: R. Thakur, R. Rabenseifner and W. Gropp, "Optimization of Collective Communication Operations in MPICH", 2005
(the model; halving and doubling); P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of
workstations", 2009 (ring); P. Sanders, J. Speck and J. L. Träff, "Two-tree algorithms for full bandwidth broadcast,
reduction and scan", 2009 (tree); Y. Jiang et al., "A Unified Architecture for Accelerating Distributed DNN Training in
Heterogeneous GPU/CPU Clusters", OSDI 2020 (servers that sum up). What adding up takes is a part of the bandwidth.
"""

from __future__ import annotations

from math import ceil, log2

from corro.classes import dataclass

RING, TREE, HALVING, HIERARCHICAL, SERVERS, AUTO = ALGORITHMS = (
    "ring",
    "tree",
    "halving",
    "hierarchical",
    "servers",
    "auto",
)
"""``auto`` is the quickest of ring, tree and hierarchical for each message, as NCCL chooses by the size."""


@dataclass(frozen=True)
class Link:
    """What two processes are connected by.

    Args:
        latency: alpha, in seconds a message.
        bandwidth: B, in bytes a second, each way.
    """

    latency: float
    bandwidth: float


@dataclass(frozen=True)
class Cluster:
    """What all processes are connected by.

    Args:
        between: the link of a machine.
        within: the link of each process to others of its machine.
        per_machine: so many processes have the link of a machine in common.
        algorithm: one of ``ALGORITHMS``.
        servers: machines without processes of the training that only add up, for ``servers``.
    """

    between: Link
    within: Link
    per_machine: int = 1
    algorithm: str = AUTO
    servers: int = 0

    def machines(self, processes: int) -> int:
        """How many machines so many processes take."""
        return ceil(processes / self.per_machine)

    def link(self, processes: int) -> Link:
        """The narrowest link that so many processes use."""
        return self.between if self.machines(processes) > 1 else self.within


def seconds(cluster: Cluster, processes: int, size: float) -> float:
    """How long an all-reduce of so many bytes takes."""
    if processes == 1 or size <= 0:
        return 0.0
    link = cluster.link(processes)
    flat = {RING: ring, TREE: tree, HALVING: halving}
    if cluster.algorithm in flat:
        return flat[cluster.algorithm](size, processes, link)
    if cluster.algorithm == AUTO:
        return min(ring(size, processes, link), tree(size, processes, link), _in_levels(cluster, processes, size))
    return _in_levels(cluster, processes, size)


def ring(size: float, processes: int, link: Link) -> float:
    """2 (N - 1) messages of m / N bytes, one after the other: none sends less."""
    return 2 * (processes - 1) * (link.latency + size / processes / link.bandwidth)


def tree(size: float, processes: int, link: Link) -> float:
    """Up and down two trees, each with half of the message in many pieces: few latencies, 2 m bytes."""
    return 2 * (ceil(log2(processes)) * link.latency + size / link.bandwidth)


def halving(size: float, processes: int, link: Link) -> float:
    """Reduce-scatter by halving and all-gather by doubling; where N is no power of two, one exchange more each way."""
    steps = int(log2(processes))
    power = 1 << steps
    more = 0.0 if power == processes else 2 * (link.latency + size / link.bandwidth)
    return 2 * steps * link.latency + 2 * (power - 1) / power * size / link.bandwidth + more


def servers(size: float, machines: int, helpers: int, link: Link) -> float:
    """Every machine adds up a part, and helpers larger parts: 2 n (n - 1) / (n^2 + k n - 2 k) of the bytes.

    Args:
        size: in bytes.
        machines: n, those that train.
        helpers: k, those that only add up; from n on more of them change nothing.
        link: of each machine.
    """
    n, k = machines, min(helpers, machines)
    if n < 2:
        return 0.0
    share = 2 * n * (n - 1) / (n * n + k * n - 2 * k)
    return 2 * link.latency + share * size / link.bandwidth


def hierarchical(size: float, machines: int, per_machine: int, between: Link, within: Link) -> float:
    """Rings within each machine, and in the middle rings between machines, which have its link in common."""
    inside = ring(size, per_machine, within) if per_machine > 1 else 0.0
    return inside + (ring(size, machines, between) if machines > 1 else 0.0)


def broadcast(size: float, processes: int, link: Link) -> float:
    """From one process to all, along a binomial tree."""
    return ceil(log2(processes)) * (link.latency + size / link.bandwidth) if processes > 1 and size else 0.0


def _in_levels(cluster: Cluster, processes: int, size: float) -> float:
    """First within each machine, then between them."""
    machines, inside = cluster.machines(processes), min(processes, cluster.per_machine)
    if cluster.algorithm != SERVERS:
        return hierarchical(size, machines, inside, cluster.between, cluster.within)
    local = ring(size, inside, cluster.within) if inside > 1 else 0.0
    return local + servers(size, machines, cluster.servers, cluster.between)
