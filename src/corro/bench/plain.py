"""An experiment as plain values, for JSON."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING, Any

from corro.bench.words import caution, conclusions

if TYPE_CHECKING:
    from corro.bench.analysis import Analysis


def as_dict(analysis: Analysis) -> dict[str, Any]:
    """The analysis as JSON has it: what is not known is ``null``."""
    told = {
        "design": asdict(analysis.design),
        "blocks": analysis.blocks,
        "balanced": analysis.balanced,
        "measure": asdict(analysis.measure),
        "configurations": [asdict(each) for each in analysis.summaries],
        "comparisons": [
            {
                **asdict(each),
                "efficiency": asdict(each.efficiency),
                "serial_fraction": each.serial_fraction and asdict(each.serial_fraction),
            }
            for each in analysis.comparisons
        ],
        "effects": [asdict(each) for each in analysis.effects],
        "equal": [{**asdict(each), "shown": each.shown, "differs": each.differs} for each in analysis.equal],
        "reached": [asdict(each) for each in analysis.reached],
        "conclusions": conclusions(analysis),
        "cautions": caution(analysis),
    }
    plain: dict[str, Any] = known(told)
    return plain


def known(value: Any) -> Any:
    """A value as JSON can have it, with ``None`` for each number that is not known."""
    if isinstance(value, dict):
        return {str(name): known(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [known(each) for each in value]
    return None if isinstance(value, float) and not isfinite(value) else value
