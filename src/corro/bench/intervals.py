"""Confidence intervals, of means and of ratios of paired runs; by SciPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite, nan
from statistics import fmean
from typing import Any

CONFIDENCE = 0.95
BOOTSTRAP_FROM = 20
"""So many blocks, and intervals are bootstrapped. Of few blocks a bootstrap is too sure: of 3 its 95 % interval holds
the truth 3 times in 4; the interval of Student's t holds it 95 times in 100 where the logarithms are normal."""
_RESAMPLES = 4_999
_EQUAL = 1e-12


@dataclass(frozen=True)
class Interval:
    """An estimate with its confidence interval; the ends are ``nan`` where one block cannot say them."""

    estimate: float
    low: float = nan
    high: float = nan

    @property
    def known(self) -> bool:
        """Whether there is an interval."""
        return isfinite(self.low) and isfinite(self.high)


def ratio(logs: dict[int, float], others: dict[int, float]) -> Interval | None:
    """The ratio of two rates, from their logarithms in the blocks that have both; ``None`` where none has.

    Student's t for paired observations, or from ``BOOTSTRAP_FROM`` blocks on a bootstrap (bias-corrected and
    accelerated, B. Efron, JASA 82, 1987).
    """
    differences = [logs[block] - others[block] for block in sorted(logs.keys() & others.keys())]
    if len(differences) < 2:
        return Interval(exp(differences[0])) if differences else None
    low, high = interval(differences)
    return Interval(exp(fmean(differences)), exp(low), exp(high))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The confidence interval of a mean, from two values or more."""
    from scipy import stats  # noqa: PLC0415

    if max(values) - min(values) < _EQUAL:
        return fmean(values), fmean(values)
    if len(values) < BOOTSTRAP_FROM:
        found = stats.ttest_1samp(values, 0.0).confidence_interval(CONFIDENCE)
    else:
        drawn = {"n_resamples": _RESAMPLES, "confidence_level": CONFIDENCE, "method": "BCa", "random_state": 0}
        found = stats.bootstrap((values,), _mean, vectorized=True, **drawn).confidence_interval
    return float(found.low), float(found.high)


def _mean(values: Any, axis: int) -> Any:
    return values.mean(axis=axis)
