"""Imported before TensorBoard, makes it work as where TensorFlow, which takes seconds to import, is not installed."""

import sys
from types import ModuleType

sys.modules["tensorboard.compat.notf"] = ModuleType("tensorboard.compat.notf")  # its own switch
