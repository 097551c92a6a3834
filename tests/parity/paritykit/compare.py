"""Judge a distributed run by its records and those of the sequential run that followed it: records in, faults out.

Rounding. Two correct programs that add up the same numbers in another order drift apart, without limit when momentum
or Adam amplifies the difference; so the reference is *forced*: it computes its own gradient, that is compared, and then
it takes the distributed run's and steps. Each step is thus judged by itself: gradients must agree up to rounding
(data, reduction, loss), weights after the step must agree in every bit (optimizer, learning rate), for every optimizer;
and since the weights are equal, so must be all printed metrics. For SGD a *free* reference is compared at the end too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from math import isnan

import numpy as np

from .records import Array, Pass, Record, aligned

GRADIENT_TOLERANCE = 1e-5
WEIGHT_TOLERANCE = 1e-5
NUMBER_TOLERANCE = 1e-4

NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d[\d,]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf)")


@dataclass(frozen=True)
class Fault:
    """One way in which a distributed run is not what the sequential run was."""

    check: str
    message: str

    def __str__(self) -> str:
        return f"{self.check}: {self.message}"


@dataclass(frozen=True)
class Expectation:
    """What a script can be held to.

    Args:
        weak: the batch of each process was kept: learning rates grow to N times the script's own.
        rates_grow: whether weak scaling scales the rates; a summed loss grows by itself, so its rates stay.
        compare_numbers: whether printed numbers are compared; not if they are learning rates, under weak scaling.
        compare_names: whether the names of files are compared with all digits taken as equal (event files have times).
    """

    weak: bool = False
    rates_grow: bool = True
    compare_numbers: bool = True
    compare_names: bool = False


DEFAULT = Expectation()


def compare(
    ranks: Sequence[Record],
    reference: Record,
    expected: Expectation = DEFAULT,
    free: Record | None = None,
    spread: Record | None = None,
) -> list[Fault]:
    """All faults of a distributed run, of any number of processes.

    Args:
        ranks: the records of its processes.
        reference: the original script, sequential, replaying the recorded order with forced gradients.
        expected: what the script can be held to.
        free: the same without forcing; for SGD.
        spread: as ``free`` with sums in another order: how far rounding alone takes this script.
    """
    failed = [f"rank {each.rank}: {each.error.splitlines()[-1]}" for each in [*ranks, reference] if each.error]
    if failed:
        return [Fault("ends", message) for message in failed]
    faults = chain(
        ranks_agree(ranks),
        passes_agree(ranks, reference),
    )
    structural = list(faults)
    if structural and any(fault.check == "passes" for fault in structural):
        return structural
    return structural + list(
        chain(
            coverage(ranks, reference),
            reshuffled(ranks, reference),
            training_steps(ranks[0], reference),
            learning_rates(ranks, reference, expected),
            final_weights(ranks[0], free, spread),
            output(ranks, reference, expected),
            effects(ranks, reference, expected),
            saves(ranks[0], reference, expected),
        )
    )


# Processes among themselves


def ranks_agree(ranks: Sequence[Record]) -> Iterator[Fault]:
    """Start, gradients, rates and weights are bit-equal on all processes at every step."""
    first = ranks[0]
    for other in ranks[1:]:
        who = f"ranks 0 and {other.rank}"
        if len(other.steps) != len(first.steps):
            yield Fault("ranks", f"{who} made {len(first.steps)} and {len(other.steps)} steps")
        if other.start_digest != first.start_digest:
            yield Fault("ranks", f"{who} start with different weights")
        for number, (own, others) in enumerate(zip(first.steps, other.steps, strict=False)):
            names = ("gradient", "rates", "weights")
            different = [name for name in names if getattr(own, name) != getattr(others, name)]
            if different:
                yield Fault("ranks", f"{who} have different {', '.join(different)} at step {number}")
                break


def passes_agree(ranks: Sequence[Record], reference: Record) -> Iterator[Fault]:
    """All processes, and the sequential run, iterate over the same loaders one after the other.

    An evaluation that rank 0 makes of everything is complete without the others.
    """
    shape = [(each.loader, each.training) for each in reference.passes]
    own = [(each.loader, each.training) for each in ranks[0].passes]
    if own != shape:
        yield Fault("passes", f"rank 0 made {len(own)} passes, the sequential run {len(shape)}, or other ones")
        return
    for number, row in enumerate(aligned(ranks)):
        first = row[0]
        absent = [rank for rank, each in enumerate(row) if each is None]
        alone = first is not None and not first.training and len(absent) == len(ranks) - 1
        if absent and not (alone and first is not None and _complete(first, ranks[0])):
            yield Fault("passes", f"ranks {absent} do not make pass {number}")
            return


def _complete(share: Pass, record: Record) -> bool:
    return Counter(chain.from_iterable(share.batches)) == Counter(record.data_sets[share.data])


# Data


def coverage(ranks: Sequence[Record], reference: Record) -> Iterator[Fault]:
    """Each sample once per pass: repeats only to fill up the last training batch, and then at most N - 1."""
    for number, (natural, row) in enumerate(zip(reference.passes, aligned(ranks), strict=False)):
        shares = [each for each in row if each is not None]
        population = Counter(ranks[0].data_sets[shares[0].data])
        given = Counter(chain.from_iterable(chain.from_iterable(share.batches) for share in shares))
        if natural.training:
            yield from _training_coverage(number, natural, shares, population, given)
        else:
            yield from _evaluation_coverage(number, shares, population, given)


def _training_coverage(
    number: int, natural: Pass, shares: Sequence[Pass], population: Counter[int], given: Counter[int]
) -> Iterator[Fault]:
    lengths = [len(share.batches) for share in shares]
    if set(lengths) != {natural.length}:
        yield Fault("steps", f"pass {number} has {lengths} batches, not {natural.length}")
    sizes = [sum(map(len, step)) for step in zip(*(share.batches for share in shares), strict=False)]
    if any(size != natural.batch_size for size in sizes[:-1]):
        yield Fault("steps", f"pass {number} has global batches of {sorted(set(sizes[:-1]))}, not {natural.batch_size}")
    wanted = natural.length * natural.batch_size if natural.drop_last else len(population)
    repeats = sum(given.values()) - len(given)
    if len(given) != wanted or set(given) - set(population):
        yield Fault("coverage", f"pass {number} uses {len(given)} different samples, not {wanted}")
    if repeats >= len(shares) or (natural.drop_last and repeats):
        yield Fault("coverage", f"pass {number} repeats {repeats} samples")


def _evaluation_coverage(
    number: int, shares: Sequence[Pass], population: Counter[int], given: Counter[int]
) -> Iterator[Fault]:
    everywhere = all(Counter(chain.from_iterable(share.batches)) == population for share in shares)
    if given != population and not everywhere:
        missing, extra = len(population - given), sum((given - population).values())
        yield Fault("coverage", f"evaluation, pass {number}: {missing} samples missing, {extra} counted twice")


def reshuffled(ranks: Sequence[Record], reference: Record) -> Iterator[Fault]:
    """A shuffled loader gives another order in each epoch; one that is not shuffled keeps its batches."""
    previous: dict[int, list[list[int]]] = {}
    for number, (natural, row) in enumerate(zip(reference.passes, aligned(ranks), strict=False)):
        if not natural.training:
            continue
        shares = [each.batches for each in row if each is not None]
        order = [list(chain.from_iterable(step)) for step in zip(*shares, strict=False)]
        if natural.shuffled and order == previous.get(natural.loader):
            yield Fault("shuffle", f"pass {number} has the order of the epoch before")
        if natural.shuffled and sorted(chain.from_iterable(order)) == list(chain.from_iterable(order)):
            yield Fault("shuffle", f"pass {number} is not shuffled at all")
        if not natural.shuffled:
            yield from _order_kept(number, order, ranks[0].data_sets[ranks[0].passes[number].data], natural)
        previous[natural.loader] = order


def _order_kept(number: int, order: list[list[int]], population: list[int], natural: Pass) -> Iterator[Fault]:
    for step, batch in enumerate(order):
        at = step * natural.batch_size
        if set(batch) - set(population[at : at + natural.batch_size]) and step < natural.length - 1:
            yield Fault("shuffle", f"pass {number} is shuffled and should not be")
            return


# Steps


def training_steps(first: Record, reference: Record) -> Iterator[Fault]:
    """Equal start; then at each step gradients equal up to rounding, and weights after it in every bit."""
    if first.start_digest != reference.start_digest:
        yield Fault("start", "the initial weights are not those of the sequential run")
    if len(first.steps) != len(reference.steps):
        yield Fault("steps", f"{len(first.steps)} steps, the sequential run made {len(reference.steps)}")
    for number in range(min(len(first.steps), len(reference.steps))):
        own, other = first.gradients(number), reference.gradients(number)
        if own is None or other is None:
            return
        difference = gradient_difference(own, other)
        if not difference <= GRADIENT_TOLERANCE:
            yield Fault("gradient", f"step {number} differs by {difference:.1e} of the norm of all gradients")
            return
        if first.steps[number].weights != reference.steps[number].weights:
            yield Fault("weights", f"step {number} takes equal gradients to different weights: rate or optimizer")
            return


def gradient_difference(own: Sequence[Array], other: Sequence[Array]) -> float:
    """The largest difference of a tensor, relative to the norm of *all* gradients.

    One tensor's own norm is no measure: the gradient of a bias before BatchNorm is zero, and what is seen is rounding.
    """
    if [each.size for each in own] != [each.size for each in other]:
        return float("inf")
    norm = _norm(other)
    if norm == 0:
        return float(any(each.any() for each in own))
    return max(_norm([a - b]) for a, b in zip(own, other, strict=True)) / norm


def _norm(arrays: Iterable[Array]) -> float:
    with np.errstate(invalid="ignore", over="ignore"):
        return float(np.sqrt(sum(np.square(each, dtype=np.float64).sum() for each in arrays)))


def learning_rates(ranks: Sequence[Record], reference: Record, expected: Expectation) -> Iterator[Fault]:
    """Strong scaling keeps the script's learning rates; weak scaling brings them to N times, by way of a warm-up."""
    size, last = len(ranks), min(len(ranks[0].steps), len(reference.steps)) - 1
    for number, (own, other) in enumerate(zip(ranks[0].steps, reference.steps, strict=False)):
        pairs = list(zip(own.rates, other.planned, strict=True))
        if not (expected.weak and expected.rates_grow):
            right = own.rates == other.planned
        elif number == last:
            right = all(abs(rate - size * planned) <= 1e-6 * rate for rate, planned in pairs)
        else:
            right = all(planned * (1 - 1e-6) <= rate <= size * planned * (1 + 1e-6) for rate, planned in pairs)
        if not right:
            yield Fault("rate", f"step {number} uses learning rates {own.rates}, the script's are {other.planned}")
            return


def final_weights(first: Record, free: Record | None, spread: Record | None) -> Iterator[Fault]:
    """Without forcing: each tensor at the end, relative to its norm, within 1e-5 or what rounding alone does."""
    if free is None:
        return
    tolerances = [WEIGHT_TOLERANCE] * len(free.final())
    if spread is not None:
        tolerances = [max(WEIGHT_TOLERANCE, 4 * each) for each in weight_differences(spread.final(), free.final())]
    for number, difference in enumerate(weight_differences(first.final(), free.final())):
        if not difference <= tolerances[number]:
            limit = tolerances[number]
            yield Fault("final", f"parameter {number} differs by {difference:.1e} at the end (limit {limit:.1e})")


def weight_differences(own: Sequence[Array], other: Sequence[Array]) -> list[float]:
    with np.errstate(invalid="ignore", over="ignore"):
        return [_norm([a - b]) / max(_norm([b]), 1e-30) for a, b in zip(own, other, strict=True)]


# Output


def output(ranks: Sequence[Record], reference: Record, expected: Expectation) -> Iterator[Fault]:
    """Rank 0 prints what the sequential run prints, the others nothing."""
    for record in ranks[1:]:
        if record.stdout.strip():
            yield Fault("output", f"rank {record.rank} prints {record.stdout.strip().splitlines()[0]!r}")
    yield from _lines_agree("output", ranks[0].stdout.splitlines(), reference.stdout.splitlines(), expected)

    wanted = _log_lines(reference.stderr)
    known = {skeleton(line) for line in wanted}
    own = [line for line in _log_lines(ranks[0].stderr) if skeleton(line) in known]
    yield from _lines_agree("log", own, wanted, expected)
    bars = re.compile(r"\d+%\|")
    for record in ranks[1:]:
        again = [line for line in _log_lines(record.stderr) if skeleton(line) in known]
        if again:
            yield Fault("log", f"rank {record.rank} logs {again[0]!r} as well")
        if bars.search(record.stderr):
            yield Fault("log", f"rank {record.rank} draws a progress bar")
    if bars.search(reference.stderr) and not bars.search(ranks[0].stderr):
        yield Fault("log", "the progress bar is gone")


def _log_lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and "\r" not in line and "%|" not in line]


def _lines_agree(check: str, own: list[str], wanted: list[str], expected: Expectation) -> Iterator[Fault]:
    if len(own) != len(wanted):
        yield Fault(check, f"{len(own)} lines, the sequential run has {len(wanted)}")
    for line, other in zip(own, wanted, strict=False):
        if skeleton(line) != skeleton(other):
            yield Fault(check, f"{line!r} instead of {other!r}")
            return
        if expected.compare_numbers and not numbers_agree(line, other):
            yield Fault("metric", f"{line!r} instead of {other!r}")
            return


def skeleton(text: str) -> str:
    """A text with its numbers taken out, and the blanks that pad them."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", text)).strip()


def numbers_agree(text: str, other: str) -> bool:
    pairs = zip(NUMBER.findall(text), NUMBER.findall(other), strict=True)
    return all(_close(own, wanted) for own, wanted in pairs)


def _close(own: str, wanted: str) -> bool:
    """Whole numbers are equal; others differ by 1e-4 of their size, or by one in the last digit that is shown."""
    if own == wanted:
        return True
    if "." not in own + wanted and "e" not in (own + wanted).lower():
        return False
    a, b = float(own.replace(",", "")), float(wanted.replace(",", ""))
    if isnan(a) or isnan(b):
        return isnan(a) and isnan(b)
    mantissa, _, exponent = wanted.lower().partition("e")
    last_digit = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    return abs(a - b) <= max(NUMBER_TOLERANCE * abs(b), 1.01 * last_digit)


def effects(ranks: Sequence[Record], reference: Record, expected: Expectation) -> Iterator[Fault]:
    """Files and directories are those of the sequential run, each made by one process only."""
    named = _without_digits if expected.compare_names else str
    makers = [{named(path) for path in record.writes} for record in ranks]
    wanted = {named(path) for path in reference.writes}
    for path in sorted(set().union(*makers) | wanted):
        who = [record.rank for record, made in zip(ranks, makers, strict=True) if path in made]
        if path not in wanted:
            yield Fault("files", f"{path} is written by ranks {who} and not by the sequential run")
        elif len(who) != 1:
            yield Fault("files", f"{path} is written by ranks {who}")


def _without_digits(path: str) -> str:
    """Names of event files hold time, host and process."""
    return re.sub(r"(tfevents\.).*", r"\1#", re.sub(r"\d+", "#", path))


def saves(first: Record, reference: Record, expected: Expectation) -> Iterator[Fault]:
    """What ``torch.save`` got: the same objects with the same keys (no ``module.``), shapes and numbers."""
    if len(first.saves) != len(reference.saves):
        yield Fault("saves", f"torch.save was called {len(first.saves)} times, not {len(reference.saves)}")
    for own, other in zip(first.saves, reference.saves, strict=False):
        different = sorted(own.entries.keys() ^ other.entries.keys())[:3]
        if expected.weak:  # a warm-up is a scheduler, and schedulers note the rate they began with
            different = [key for key in different if not key.endswith(".initial_lr")]
        if (own.path, own.kind) != (other.path, other.kind) or different:
            yield Fault("saves", f"{own.path} has a {own.kind}, not a {other.kind}, or other keys {different}")
            return
        for key in own.entries.keys() & other.entries.keys():
            value, wanted = own.entries[key], other.entries[key]
            agree = skeleton(value) == skeleton(wanted) and (expected.weak or numbers_agree(value, wanted))
            if not agree:
                yield Fault("saves", f"{own.path}: {key} is {value}, not {wanted}")
                return


# One process


def compare_alone(alone: Record, reference: Record) -> list[Fault]:
    """A converted program on one process is bit-identical to the original that was fed the same order."""
    faults = [Fault("ends", each.error.splitlines()[-1]) for each in (alone, reference) if each.error]
    if faults:
        return faults
    return list(chain(passes_agree([alone], reference), coverage([alone], reference), _bits(alone, reference)))


def _bits(alone: Record, reference: Record) -> Iterator[Fault]:
    for name in ("start_digest", "stdout"):
        if getattr(alone, name) != getattr(reference, name):
            yield Fault("bits", f"{name} differs: {_first_difference(getattr(alone, name), getattr(reference, name))}")
    for number, (own, other) in enumerate(zip(alone.steps, reference.steps, strict=False)):
        for name in ("gradient", "rates", "weights"):
            if getattr(own, name) != getattr(other, name):
                yield Fault("bits", f"{name} differ at step {number}")
                return
    if len(alone.steps) != len(reference.steps):
        yield Fault("bits", f"{len(alone.steps)} steps, not {len(reference.steps)}")
    if [_without_digits(path) for path in alone.writes] != [_without_digits(path) for path in reference.writes]:
        yield Fault("files", f"writes {alone.writes}, not {reference.writes}")
    if alone.saves != reference.saves:
        yield Fault("saves", "torch.save got something else")


def _first_difference(own: object, other: object) -> str:
    for line, wanted in zip(str(own).splitlines(), str(other).splitlines(), strict=False):
        if line != wanted:
            return f"{line!r} instead of {wanted!r}"
    return f"{str(own)[-60:]!r} instead of {str(other)[-60:]!r}"
