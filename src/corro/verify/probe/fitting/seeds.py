"""Seeds that a program is given by its engine, at its start or after a library that seeds by chance."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from corro.verify.probe.session import Session


def noted(
    plain: Callable[..., Any], name: str, session: Session, sent: Collection[int], workers: Collection[object]
) -> Callable[..., Any]:
    """What sets a seed: those that the engine gave are noted, with how many the script had set before.

    A seed of chance, which is asked for by giving none, is the run's.

    Args:
        plain: sets a seed.
        name: of the generator.
        session: gets the note.
        sent: numbers that the engine has given all processes.
        workers: strategies that were made; a program sets the seeds of workers once it has its own.
    """
    own = 0

    @functools.wraps(plain)
    def seed(*args: Any, **kwargs: Any) -> Any:
        nonlocal own
        value = next(iter((*args, *kwargs.values())), None)
        known = session.record.seeds.get(name, [])
        number = _whole(value)
        if number is not None and (number in sent or (workers and not known)):
            session.record.seeds[name] = [*known, (own, number)]
            session.record.drawn = session.record.drawn if known else [*random.getstate()]
        else:
            own += 1
        return plain(session.settings.seed + session.record.rank) if value is None else plain(*args, **kwargs)

    return seed


def followed(plain: Callable[..., Any], session: Session, seeds: Sequence[tuple[int, int]]) -> Callable[..., Any]:
    """What sets a seed in a reference, which begins with the first one that the engine gave.

    Where a library seeds by chance, as it reads data, the engine's seeds come after, one for each place. Of chance are
    also seeds that it takes from those of a graph, which are the run's where the script sets none.
    """
    behind = [value for before, value in seeds if before]
    places: list[str] = []
    for _, value in seeds[:1]:
        plain(value)

    @functools.wraps(plain)
    def seed(*args: Any, **kwargs: Any) -> Any:
        value = next(iter((*args, *kwargs.values())), None)
        if value is not None and _whole(value) != session.settings.seed:
            return plain(*args, **kwargs)
        place = session.line()
        if place not in places:
            places.append(place)
        at = places.index(place)
        return plain(behind[at] if at < len(behind) else session.settings.seed)

    return seed


def _whole(value: object) -> int | None:
    return int(value) if isinstance(value, (int, np.integer)) else None
