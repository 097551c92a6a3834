"""The engines that run generated programs: which are here, whether they work, and how to get Horovod."""

from corro.engines.health import ENGINES, Engine, Health, State, examine, examine_all, examine_each
from corro.engines.horovod import HOROVOD_VERSION, Progress, Wheel, left_out, setup_horovod, wheel_for

__all__ = [
    "ENGINES",
    "HOROVOD_VERSION",
    "Engine",
    "Health",
    "Progress",
    "State",
    "Wheel",
    "examine",
    "examine_all",
    "examine_each",
    "left_out",
    "setup_horovod",
    "wheel_for",
]
