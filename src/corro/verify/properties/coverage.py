"""Over each epoch all processes together see the samples of the sequential run, each once, in a fresh order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from math import factorial, prod

from corro.verify.evidence import Evidence
from corro.verify.properties._ended import of_ended_runs
from corro.verify.properties._lines import first_unlike
from corro.verify.properties._made import Shared, shared
from corro.verify.records import Pass, Record, evened, is_look, shares
from corro.verify.verdict import Fault, Observation, Seen, Unknown

ORDER = 3
REPEATS = 0.2
"""Shares of repeated samples that are further apart are not those of two draws from one sampler."""

NOTHING_SEEN = "no loader is iterated over: which samples a process uses is not visible"
TITLE = "each sample is seen once, in batches of the right size and a fresh order"


@of_ended_runs
def check(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """All passes over loaders, side by side with the sequential run's."""
    if not evidence.ranks[0].passes:
        yield Unknown(NOTHING_SEEN)
        return
    unlike = list(paired(evidence))
    if unlike:
        yield from unlike
        return
    if reference.steps and not any(each.training for each in reference.passes):
        yield Unknown(NOTHING_SEEN)
    for number, natural in enumerate(reference.passes):
        yield from _pass(evidence, number, natural)
    yield from _reshuffled(evidence, reference)
    yield from _noise(evidence)


def paired(evidence: Evidence) -> Iterator[Fault]:
    """Whether all processes, and the sequential run, iterate over the same loaders one after the other.

    An evaluation that rank 0 makes of everything is complete without the others.
    """
    reference = evidence.reference
    assert reference is not None
    wanted = [(each.loader, each.training) for each in reference.passes]
    own = [(each.loader, each.training) for each in evidence.ranks[0].passes]
    if evidence.hung:
        return  # all that was begun may have ended elsewhere
    if own != wanted:
        at = first_unlike(own, wanted)
        number = min(len(own), len(wanted)) if at is None else at
        line = reference.passes[number].line if number < len(wanted) else ""
        yield Fault(
            "passes over loaders differ from the sequential run's",
            line,
            None,
            0,
            "",
            f"{len(own)} passes",
            f"{len(wanted)}",
        )
        return
    for number, row in enumerate(evidence.rows):
        first = row[0]
        absent = [rank for rank, each in enumerate(row) if each is None]
        alone = first is not None and not first.training and len(absent) == evidence.size - 1
        if absent and not (alone and first is not None and (first.fed or _whole(evidence, number, first))):
            line = reference.passes[number].line if number < len(reference.passes) else ""
            yield Fault(f"ranks {absent} do not make pass {number} over a loader", line)
            return


def _whole(evidence: Evidence, number: int, own: Pass) -> bool:
    reference = evidence.reference
    assert reference is not None
    return Counter(chain.from_iterable(own.batches)) == Counter(chain.from_iterable(reference.passes[number].batches))


def _pass(evidence: Evidence, number: int, natural: Pass) -> Iterator[Observation]:
    row = list(shares(evidence.rows[number]))
    row = row[:1] if is_look(row) else row
    if natural.fed:
        yield from _fed(evidence, natural, row)
        return
    if natural.made:
        yield from _made(evidence, natural, row)
        return
    given = Counter(chain.from_iterable(chain.from_iterable(share.batches) for share in row))
    if natural.stream or not natural.training:
        wanted = Counter(chain.from_iterable(natural.batches))
    else:
        wanted = Counter(evidence.ranks[0].data_sets[row[0].data].population)
    if natural.training and natural.drawn is not None:
        yield from _drawn(evidence, number, natural, natural.drawn, row)
    elif natural.training:
        yield from _batches(evidence, number, natural, row)
        parts, by_chance = len(row) * evidence.devices, _repeats_by_chance(evidence, natural)
        yield from _training(number, natural, row, given, wanted, parts, by_chance=by_chance)
    else:
        yield from _evaluation(number, natural, row, given, wanted)


def _fed(evidence: Evidence, natural: Pass, row: Sequence[Pass]) -> Iterator[Observation]:
    """Runs of a session: those that train have the sequential run's samples together, others all have them each."""
    if not natural.training:
        wanted = Counter(chain.from_iterable(natural.batches))
        counts = [Counter(chain.from_iterable(share.batches)) for share in row]
        if wanted not in (counts[0], sum(counts, Counter())):
            yield from _other(evidence, "runs that do not train have other samples", natural)
            return
        yield Seen("evaluations of the same samples")
        return
    lengths = [len(share.batches) for share in row]
    if set(lengths) != {len(natural.batches)}:
        yield Fault("batches of training", natural.line, own=str(lengths), wanted=str(len(natural.batches)))
        return
    whole = Counter(chain.from_iterable(natural.batches))
    given = Counter(chain.from_iterable(chain.from_iterable(share.batches) for share in row))
    reordered = not evidence.converted and given == whole
    filled = 0
    for step, (batch, *parts) in enumerate(zip(natural.batches, *(share.batches for share in row), strict=True)):
        wanted, given = Counter(batch), Counter(chain.from_iterable(parts))
        if len(row) > 1 and len(wanted) > 1 and all(Counter(part) == Counter(parts[0]) for part in parts):
            yield Fault("all processes train on the same samples", natural.line, step)
            return
        extra = given - wanted
        filled += extra.total()
        filling = extra.total() <= -wanted.total() % len(row) and not set(extra) - set(wanted)
        right = filling and not wanted - given
        if right or (reordered and given.total() == wanted.total()):
            continue
        if not wanted.total() <= given.total() < wanted.total() + len(row):
            text = "the batch of all processes together has the wrong size"
            yield Fault(text, natural.line, step, None, "", f"{given.total()} samples", str(wanted.total()))
            return
        text = f"{(wanted - given).total()} samples of a batch are missing, {extra.total()} are not in it or repeated"
        yield from _other(evidence, text, natural, step)
        return
    repeated = f", {filled} repeated to fill up batches" if filled else ""
    yield Seen(f"{len(natural.batches)} batches of the same samples{repeated}")


def _made(evidence: Evidence, natural: Pass, row: Sequence[Pass]) -> Iterator[Observation]:
    """Batches that the script makes: of each, the processes have the rows together."""
    count = min(len(each.batches) for each in (natural, *row))
    found = [shared(natural, number, row, [number] * len(row)) for number in range(count)]
    if Shared.OTHERWISE in found:
        text = "the processes together have other samples in a batch"
        yield from _other(evidence, text, natural, found.index(Shared.OTHERWISE))
        return
    counts = Counter(found)
    if unseen := counts[Shared.UNSEEN]:
        yield Unknown(f"of {unseen} batches it is not visible which samples they have [{natural.line}]")
    filled = f", {counts[Shared.FILLED]} filled up with samples of their own" if counts[Shared.FILLED] else ""
    yield Seen(f"{len(found) - unseen} batches of the same samples{filled}")


def _other(evidence: Evidence, text: str, natural: Pass, step: int | None = None) -> Iterator[Observation]:
    """Other samples than the sequential run's: a fault of a converted program; others may draw in their own way."""
    if evidence.converted:
        yield Fault(text, natural.line, step)
    else:
        yield Unknown(
            "the program makes its batches differently from the script: their samples cannot be compared "
            f"[{natural.line}]"
        )


def _batches(evidence: Evidence, number: int, natural: Pass, row: Sequence[Pass]) -> Iterator[Observation]:
    """The global batches: as many as the sequential run's, and of their size."""
    lengths = [len(share.batches) for share in row]
    ended = all(share.ended for share in row)
    if natural.length >= 0 and ended and set(lengths) != {natural.length}:
        yield Fault(
            f"epoch (pass {number}) has other numbers of batches",
            natural.line,
            own=str(lengths),
            wanted=str(natural.length),
        )
    sizes = [sum(map(len, step)) for step in zip(*(share.batches for share in row), strict=False)]
    full = [natural.batch_size] * len(sizes)
    if natural.stream:
        full = [len(batch) for batch in natural.batches]
    elif natural.drawn is not None:
        full = [len(batch) for batch in natural.drawn]
        if len(set(full[:-1])) > 1 and not natural.settled:
            return  # another draw has batches of other sizes
    wrong = next((at for at, pair in enumerate(zip(sizes[:-1], full, strict=False)) if pair[0] != pair[1]), None)
    if wrong is not None and not (natural.stream and natural.length < 0):
        text = "the batch of all processes together has the wrong size"
        yield Fault(text, natural.line, wrong, None, "", f"{sizes[wrong]} samples", str(full[wrong]))


def _repeats_by_chance(evidence: Evidence, natural: Pass) -> bool:
    """Whether the sequential run's own epochs repeat samples of a shuffled stream, others each time."""
    assert evidence.reference is not None
    passes = [each for each in evidence.reference.passes if each.loader == natural.loader and each.training]
    epochs = [Counter(chain.from_iterable(each.batches)) for each in passes]
    repeating = any(each.total() > len(each) for each in epochs)
    return natural.shuffled and repeating and (len(epochs) == 1 or any(each != epochs[0] for each in epochs))


def _training(
    number: int,
    natural: Pass,
    row: Sequence[Pass],
    given: Counter[int],
    population: Counter[int],
    parts: int,
    *,
    by_chance: bool = False,
) -> Iterator[Observation]:
    repeats = (given - population).total() if natural.stream else given.total() - len(given)
    strange = len(set(given) - set(population))
    if natural.endless and (strange or (by_chance and repeats)):
        yield Unknown(f"an epoch takes its samples from an endless stream: they cannot be compared [{natural.line}]")
        return
    if strange and natural.augmented:
        yield Unknown(
            f"random numbers change the samples before they are seen: they cannot be compared [{natural.line}]"
        )
        return
    if strange:
        yield Fault(f"epoch (pass {number}) uses {strange} samples that the sequential run does not have", natural.line)
        return
    if not all(share.ended for share in row):
        at_most = 0 if parts == 1 or natural.drop_last else parts - 1
        if repeats > at_most and not natural.stream:
            yield Fault(f"{repeats} samples are given twice within an epoch", natural.line)
        yield Seen(f"{len(given)} different samples, epoch not finished")
        return
    whole = len(population) if natural.length < 0 or not natural.drop_last else natural.length * natural.batch_size
    if len(given) != whole and natural.endless:
        yield Unknown(f"an epoch takes its samples from an endless stream: they cannot be compared [{natural.line}]")
    elif len(given) != whole:
        yield Fault(
            f"different samples in an epoch (pass {number})", natural.line, own=str(len(given)), wanted=str(whole)
        )
    if repeats >= parts and evened([*row]):
        yield Unknown(
            f"the last batch of an epoch is filled up with {repeats} samples from its beginning, as Accelerate does "
            f"(even_batches=True): the sequential run's is smaller [{natural.line}]"
        )
    elif repeats >= parts or (natural.drop_last and repeats):
        yield Fault(f"{repeats} samples are repeated in an epoch (pass {number})", natural.line)
    padding = f", {repeats} repeated to fill up the last batch" if repeats else ""
    yield Seen(f"{len(given)} of {whole} samples in each epoch{padding}")


def _drawn(
    evidence: Evidence, number: int, natural: Pass, drawn: Sequence[Sequence[int]], row: Sequence[Pass]
) -> Iterator[Observation]:
    """A sampler that chooses: its batches, where rank 0's random numbers say them; else how often samples repeat."""
    ended = all(share.ended for share in row)
    given = [Counter(chain.from_iterable(step)) for step in zip(*(share.batches for share in row), strict=False)]
    extra = [_filled(batch, own, drawn, len(row)) for batch, own in zip(drawn, given, strict=False)]
    if None not in extra and (len(given) == len(drawn) or not ended):
        filled = sum(filter(None, extra))
        yield Seen(f"{len(given)} batches as the sampler gives them{f', {filled} samples repeated' if filled else ''}")
        return
    if natural.settled and evidence.converted:
        step = extra.index(None) if None in extra else min(len(given), len(drawn))
        yield Fault("the processes together have other samples in a batch than the sampler gives", natural.line, step)
        return
    yield from _batches(evidence, number, natural, row)
    whole, chosen = sum(given, Counter()), Counter(chain.from_iterable(drawn))
    if natural.steady:
        yield from _training(number, natural, row, whole, chosen, len(row))
        return
    own, wanted = ((each.total() - len(each)) / max(each.total(), 1) for each in (whole, chosen))
    if ended and abs(own - wanted) > REPEATS:
        text = f"epoch (pass {number}) is drawn differently: fraction of repeated samples"
        yield Fault(text, natural.line, own=f"{own:.2f}", wanted=f"{wanted:.2f}")
    yield Unknown(f"the samples of an epoch are drawn at random: they cannot be compared [{natural.line}]")


def _filled(batch: Sequence[int], given: Counter[int], drawn: Sequence[Sequence[int]], parts: int) -> int | None:
    """How many samples fill up a batch for equal parts, of its own or from the beginning; ``None`` if others differ."""
    wanted = Counter(batch)
    extra = given - wanted
    beginning = set(batch) | set(chain.from_iterable(drawn[:parts]))
    fills = extra.total() == -len(batch) % parts and set(extra) <= beginning
    return extra.total() if fills and not wanted - given else None


def _evaluation(
    number: int, natural: Pass, row: Sequence[Pass], given: Counter[int], wanted: Counter[int]
) -> Iterator[Observation]:
    everywhere = all(Counter(chain.from_iterable(share.batches)) == wanted for share in row)
    left_out = set(given) == set(wanted) and evened([*row]) and all(share.trimmed for share in row)
    if given != wanted and not everywhere and not left_out:
        missing, extra = len(wanted - given), sum((given - wanted).values())
        text = f"evaluation (pass {number}): {missing} samples are missing, {extra} are counted twice"
        yield Fault(text, natural.line, late=True)
    yield Seen("evaluations of the same samples")


def _reshuffled(evidence: Evidence, reference: Record) -> Iterator[Observation]:
    """A shuffled loader gives another order in each epoch; one that is not shuffled keeps its batches."""
    previous: dict[int, list[list[int]]] = {}
    for number, natural in enumerate(reference.passes):
        if not natural.training or natural.fed or natural.made or (natural.stream and natural.length < 0):
            continue
        row = [each.batches for each in shares(evidence.rows[number])]
        order = [sorted(chain.from_iterable(step)) for step in zip(*row, strict=False)]
        several = len(order) > 1
        if natural.shuffled and several and order == previous.get(natural.loader):
            yield Fault(f"epoch (pass {number}) has the order of the epoch before", natural.line)
        if natural.shuffled and not natural.stream and _rising(row):
            yield Fault(f"epoch (pass {number}) is not shuffled", natural.line)
        if not natural.shuffled and not natural.augmented and natural.drawn is None:
            yield from _kept(number, order, _population(evidence, number, natural), natural)
        previous[natural.loader] = order


def _population(evidence: Evidence, number: int, natural: Pass) -> list[int]:
    """The samples in the order of the data set."""
    if natural.stream:
        return list(chain.from_iterable(natural.batches))
    return list(evidence.ranks[0].data_sets[evidence.ranks[0].passes[number].data].population)


def _rising(row: Sequence[list[list[int]]]) -> bool:
    """Whether the numbers of each process only rise, and not by chance; the last batch may begin anew to be filled."""
    given = [list(chain.from_iterable(batches[:-1])) for batches in row]
    chances = prod(factorial(min(len(each), 20)) for each in given)
    return chances > 1e6 and all(each == sorted(each) for each in given)


def _kept(number: int, order: list[list[int]], population: Sequence[int], natural: Pass) -> Iterator[Fault]:
    for step, batch in enumerate(order):
        at = step * natural.batch_size
        if set(batch) - set(population[at : at + natural.batch_size]) and step < natural.length - 1:
            yield Fault(f"epoch (pass {number}) has another order than the data set", natural.line, step)
            return


def _noise(evidence: Evidence) -> Iterator[Observation]:
    """Noise that is the same on all processes is the same noise N times."""
    kinds = sorted({kind for record in evidence.ranks for kind in record.noisy})
    if not kinds or evidence.size < 2:
        return
    states = [next(iter(record.noise.values()), None) for record in evidence.ranks]
    if len(set(states)) < len(states):
        line = next((each.line for each in evidence.ranks[0].passes if each.training), "")
        yield Fault(f"noise ({', '.join(kinds)}) is equal on several processes", evidence.line(line))
    else:
        yield Seen(f"noise ({', '.join(kinds)}) differs between processes")
