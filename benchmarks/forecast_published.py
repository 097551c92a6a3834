"""Forecasts beside published curves: writes the profiles of ``examples/forecast``, and says how far off each is.

    python benchmarks/forecast_published.py [--write]

Layers are those of the papers. A backward pass takes twice as long as a forward pass, and each layer a part of it by
its multiplications: only the time of a whole step is published.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from common import ROOT, publish, table

from corro.forecast.allreduce import HIERARCHICAL, RING, SERVERS, Cluster
from corro.forecast.network import network
from corro.forecast.outlook import WEAK, Setting, outlook
from corro.forecast.profile import Gradient, Profile, Share, text_of
from corro.forecast.simulate import HOROVOD

FOLDER = ROOT / "examples" / "forecast"
FLOAT, HALF = 4, 2
TF = "TensorFlow, Benchmarks (tensorflow.org/performance/benchmarks), May 2017, one P100 of a DGX-1, synthetic data"
HOROVOD_PAPER = "A. Sergeev and M. Del Balso, arXiv:1802.05799, and Horovod, docs/benchmarks.rst: 128 servers of 4 GPUs"
ASSUMED = "assumed: backward twice as long as forward, and each layer's part of it by its multiplications"


@dataclass(frozen=True)
class Layer:
    """A layer: parameters, and multiplications of a sample."""

    name: str
    parameters: int
    work: float


def convolution(name: str, inputs: int, outputs: int, kernel: tuple[int, int], size: int, *, more: int = 2) -> Layer:
    """With two parameters of batch normalisation for each output, or one bias."""
    weights = inputs * outputs * kernel[0] * kernel[1]
    return Layer(name, weights + more * outputs, weights * size * size)


def dense(name: str, inputs: int, outputs: int) -> Layer:
    return Layer(name, inputs * outputs + outputs, inputs * outputs)


def vgg_16() -> Iterator[Layer]:
    """K. Simonyan and A. Zisserman, arXiv:1409.1556, configuration D."""
    inputs = 3
    for block, (count, outputs, size) in enumerate(
        [(2, 64, 224), (2, 128, 112), (3, 256, 56), (3, 512, 28), (3, 512, 14)], 1
    ):
        for number in range(1, count + 1):
            yield convolution(f"conv{block}_{number}", inputs, outputs, (3, 3), size, more=1)
            inputs = outputs
    yield dense("fc6", 512 * 7 * 7, 4096)
    yield dense("fc7", 4096, 4096)
    yield dense("fc8", 4096, 1000)


def resnet(counts: tuple[int, ...]) -> Iterator[Layer]:
    """K. He et al., arXiv:1512.03385, table 1."""
    yield convolution("conv1", 3, 64, (7, 7), 112)
    inputs = 64
    for stage, (count, width, size) in enumerate(zip(counts, (64, 128, 256, 512), (56, 28, 14, 7), strict=True), 2):
        for block in range(1, count + 1):
            name = f"conv{stage}_{block}"
            if block == 1:
                yield convolution(f"{name}.shortcut", inputs, 4 * width, (1, 1), size)
            yield convolution(f"{name}.1", inputs, width, (1, 1), size)
            yield convolution(f"{name}.2", width, width, (3, 3), size)
            yield convolution(f"{name}.3", width, 4 * width, (1, 1), size)
            inputs = 4 * width
    yield dense("fc", 2048, 1000)


def inception_v3() -> Iterator[Layer]:
    """C. Szegedy et al., arXiv:1512.00567, without the auxiliary head."""
    one, three, row, column = (1, 1), (3, 3), (1, 7), (7, 1)
    stem = [(3, 32, three, 149), (32, 32, three, 147), (32, 64, three, 147), (64, 80, one, 73), (80, 192, three, 71)]
    blocks = [("stem", stem)]
    for number, (inputs, pooled) in enumerate([(192, 32), (256, 64), (288, 64)]):
        own = [(inputs, 64, one, 35), (inputs, 48, one, 35), (48, 64, (5, 5), 35), (inputs, 64, one, 35)]
        own += [(64, 96, three, 35), (96, 96, three, 35), (inputs, pooled, one, 35)]
        blocks.append((f"a{number + 1}", own))
    smaller = [(288, 384, three, 17), (288, 64, one, 35), (64, 96, three, 35), (96, 96, three, 17)]
    blocks.append(("b", smaller))
    for number, width in enumerate((128, 160, 160, 192)):
        own = [(768, 192, one, 17), (768, width, one, 17), (width, width, row, 17), (width, 192, column, 17)]
        own += [(768, width, one, 17), (width, width, column, 17), (width, width, row, 17)]
        own += [(width, width, column, 17), (width, 192, row, 17), (768, 192, one, 17)]
        blocks.append((f"c{number + 1}", own))
    larger = [(768, 192, one, 17), (192, 320, three, 8), (768, 192, one, 17)]
    larger += [(192, 192, row, 17), (192, 192, column, 17), (192, 192, three, 8)]
    blocks.append(("d", larger))
    for number, inputs in enumerate((1280, 2048)):
        own = [(inputs, 320, one, 8), (inputs, 384, one, 8), (384, 384, (1, 3), 8), (384, 384, (3, 1), 8)]
        own += [(inputs, 448, one, 8), (448, 384, three, 8), (384, 384, (1, 3), 8), (384, 384, (3, 1), 8)]
        own += [(inputs, 192, one, 8)]
        blocks.append((f"e{number + 1}", own))
    for name, own in blocks:
        for number, (inputs, outputs, kernel, size) in enumerate(own, 1):
            yield convolution(f"{name}.{number}", inputs, outputs, kernel, size)
    yield dense("fc", 2048, 1000)


def bert_large(tokens: int = 128) -> Iterator[Layer]:
    """J. Devlin et al., arXiv:1810.04805: 24 layers of width 1,024; looking up words is next to no work."""
    width = 1024
    yield Layer("embeddings", (30522 + 512 + 2) * width + 2 * width, 0.0)
    for number in range(1, 25):
        attention, feeding = 4 * width * width, 8 * width * width
        scores = 2 * tokens * tokens * width
        yield Layer(f"layer{number}.attention", attention + 6 * width, attention * tokens + scores)
        yield Layer(f"layer{number}.feed_forward", feeding + 7 * width, feeding * tokens)
    yield Layer("head", 2 * width * width + 30522 + 5 * width, width * width * tokens + 30522 * width * tokens * 0.15)


def profile(name: str, layers: Iterator[Layer], batch: int, step: float, size: int, *sources: str) -> Profile:
    """A published training: a step of so many seconds with that batch."""
    reverse = list(layers)[::-1]
    work = sum(each.work for each in reverse)
    gradients = tuple(Gradient(each.name, each.parameters * size) for each in reverse)
    backward = tuple(round(step * 2 / 3 * each.work / work, 9) for each in reverse)
    share = Share(batch=batch, forward=round(step / 3, 9), backward=(*backward, 0.0))
    return Profile(name, gradients, (share,), sources=(*sources, ASSUMED))


PROFILES = {
    "inception_v3": profile("Inception V3", inception_v3(), 64, 64 / 142, FLOAT, f"{TF}: 142 images/s", HOROVOD_PAPER),
    "resnet_101": profile(
        "ResNet-101",
        resnet((3, 4, 23, 3)),
        64,
        64 / (1656.82 / 16),
        FLOAT,
        "Horovod, docs/benchmarks.rst: 1,656.82 images/s on 16 GPUs, a sixteenth of it for one, whose rate is not told",
        HOROVOD_PAPER,
    ),
    "vgg_16": profile("VGG-16", vgg_16(), 64, 64 / 154, FLOAT, f"{TF}: 154 images/s", HOROVOD_PAPER),
    "resnet_50": profile(
        "ResNet-50",
        resnet((3, 4, 6, 3)),
        32,
        0.18,
        FLOAT,
        "P. Goyal et al., arXiv:1706.02677, section 4: backward takes 120 ms on a P100, with 32 images; forward half",
    ),
    "bert_large": profile(
        "BERT-large",
        bert_large(),
        64,
        64 * 128 / (26.04 * 512),
        HALF,
        "NVIDIA, DeepLearningExamples, BERT for TensorFlow, March 2019: 26.04 sentences/s of 512 tokens, V100, FP16",
        "BytePS, README: mixed precision, batch 64; that sentences have 128 tokens is assumed",
    ),
}


@dataclass(frozen=True)
class Curve:
    """A published efficiency."""

    profile: str
    processes: int
    efficiency: float
    system: str
    within: str
    per_machine: int
    algorithm: str
    engine: str = HOROVOD
    servers: int = 0

    @property
    def forecast(self) -> float:
        cluster = Cluster(
            network(self.system).link, network(self.within).link, self.per_machine, self.algorithm, self.servers
        )
        found = outlook(PROFILES[self.profile], Setting(cluster, self.engine), self.processes, WEAK)
        assert found is not None
        return found.efficiency.value

    @property
    def row(self) -> list[str]:
        found = self.forecast
        how, off = f"{self.algorithm}, {self.system}", f"{(found - self.efficiency) * 100:+.0f}"
        name = PROFILES[self.profile].name
        return [name, str(self.processes), how, f"{self.efficiency:.0%}", f"{found:.0%}", off]


CURVES = (
    Curve("inception_v3", 512, 0.90, "horovod-2018", "pcie3", 4, RING),
    Curve("resnet_101", 512, 0.90, "horovod-2018", "pcie3", 4, RING),
    Curve("vgg_16", 512, 0.68, "horovod-2018", "pcie3", 4, RING),
    Curve("resnet_50", 256, 0.90, "big-basin", "nvlink-p100", 8, HIERARCHICAL),
    Curve("bert_large", 256, 0.70, "byteps-2020", "nvlink-v100", 8, RING),
    Curve("bert_large", 256, 0.90, "byteps-2020", "nvlink-v100", 8, SERVERS, servers=32),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    for name, each in PROFILES.items():
        elements = each.gradient_bytes / (HALF if name == "bert_large" else FLOAT)
        print(f"{name}: {elements / 1e6:.1f} M parameters, {each.alone.seconds * 1000:.0f} ms a step")
        if asked.write:
            FOLDER.mkdir(exist_ok=True)
            (FOLDER / f"{name}.json").write_text(text_of(each), encoding="utf-8")
    header = ["model", "GPUs", "all-reduce, network", "published", "forecast", "points off"]
    text = table(header, [each.row for each in CURVES])
    publish("published", "Published", text, asked.write, ROOT / "docs" / "forecast.md")


if __name__ == "__main__":
    main()
