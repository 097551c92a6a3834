"""Kinds: what a value is for. What stays unknown stays ``UNKNOWN``, and may lead to a refusal, never to a guess."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """The kinds the analysis tells apart; the first group is Python's, the second belongs to training."""

    UNKNOWN = "unknown"
    NUMBER = "number"
    TEXT = "text"
    NONE = "none"
    TUPLE = "tuple"
    LIST = "list"
    DICT = "dict"
    RANGE = "range"
    FUNCTION = "function"
    CLASS = "class"
    INSTANCE = "instance"
    LIBRARY = "library name"
    CHOICE = "one of several functions or classes"
    METHOD = "method"
    ITERATOR = "iterator"
    CONTEXT = "context manager"

    MODULE = "module"
    LAYERS = "list of modules"
    LAYER = "layer"
    PARAMETERS = "parameters"
    OPTIMIZER = "optimizer"
    SCHEDULER = "scheduler"
    SCALER = "gradient scaler"
    LOADER = "loader"
    DATASET = "data set"
    SAMPLER = "sampler"
    LOSS = "loss function"
    METRIC = "metric"
    CALLBACK = "callback"
    TABLE = "table"
    BATCH = "batch"
    TENSOR = "tensor"
    SHAPE = "shape"
    DEVICE = "device"
    NAMESPACE = "command-line arguments"
    WRITER = "writer"
    """Rank 0 alone has one: its placement is that of whether there is one, as the others have something for it."""
    RUN = "run of an experiment tracker"
    FILE = "open file"
    LOGGER = "logger"
    PROGRESS = "progress bar"
    STATE = "state dict"

    __hash__ = object.__hash__  # that of Enum is a call of Python's, and kinds are looked up all the time
