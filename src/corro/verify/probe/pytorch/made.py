"""Batches that the script makes itself: known by what the outermost module is given in training.

Points that a model is derived by are rows, too, though gradients are asked for of them: whatever else it is given in
the step, which may be other points, is part of the same batch then.
A reference makes the same batches as the processes do, from the same random numbers; nothing is given in their place.
Where a module computes in front of it without gradients, what is given may be rounded otherwise, which is noted.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Iterator
from typing import Any

import torch

from corro.verify.probe.pytorch import fields
from corro.verify.probe.pytorch.batches import tensors
from corro.verify.probe.pytorch.loaders import Training
from corro.verify.probe.session import Session
from corro.verify.records import Pass

_LOADER = 2000
"""All batches that the script makes are counted as one pass over this loader."""
_FAR = 200
"""So many operations at most are between points and what a model is given."""


class Made:
    """The batches of a process that no loader gives."""

    def __init__(self, session: Session, training: Training) -> None:
        self._session = session
        self._training = training
        self._texts = fields.Newest()
        self._depth = 0
        self._pass = Pass(_LOADER, -1, -1, 0, drop_last=False, shuffled=False, made=True)
        self._is_known = False
        self._is_computed = False
        self._has_points = False
        session.at_end.append(self._end)

    def watched(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """The call of a module, of which the outermost is looked at."""

        @functools.wraps(plain)
        def call(module: Any, *args: Any, **kwargs: Any) -> Any:
            if not self._depth:
                self._look(module, [*tensors(args), *tensors(kwargs)])
            self._depth += 1
            try:
                return plain(module, *args, **kwargs)
            finally:
                self._depth -= 1

        return call

    def stepped(self) -> None:
        """The next batch is another one; what is drawn before it is no noise."""
        if self._is_known:
            self._training.rest()
        self._is_known = self._is_computed = self._has_points = False

    def number(self) -> int:
        """Of the newest batch; -1 where none was seen since the last step."""
        return len(self._pass.batches) - 1 if self._is_known else -1

    def _look(self, module: Any, given: list[torch.Tensor]) -> None:
        if not torch.is_grad_enabled():
            self._is_computed = True
        elif module.training and given and _has_parameters(module) and not self._is_handed_out():
            if self._is_known:
                self._training.weights.before_first_step()
                self._add(given)
            else:
                self._note(given)

    def _is_handed_out(self) -> bool:
        """Whether a loader gives the batches that are trained on."""
        current = self._training.current
        others = [each for each in self._session.record.passes if each is not self._pass]
        running = current is not None and current is not self._pass and not current.ended
        return running or any(each.training for each in others)

    def _note(self, given: list[torch.Tensor]) -> None:
        if not self._are_rows(given):
            return
        self._is_known = True
        self._has_points = any(each.requires_grad for each in given)
        passes = self._session.record.passes
        if self._pass not in passes:
            self._pass.line = self._session.line()
            self._training.open(self._pass)
            self._training.weights.before_first_step()
            if self._session.replay is not None:
                self._training.weights.take_over(self._session.replay.ranks[0].folder)
        rows = self._texts.rows_of(given) or self._training.rows(given)
        if self._is_computed:
            self._pass.computed.append(len(self._pass.batches))
        self._pass.batches.append(rows)
        self._training.give(self._pass, rows, [])

    def _add(self, given: list[torch.Tensor]) -> None:
        """More that the model is given in a step in which it is derived by points, but nothing for a second time."""
        if not (self._has_points or any(each.requires_grad for each in given)) or not self._are_rows(given):
            return
        self._has_points = True
        known, rows = self._pass.batches[-1], self._training.rows(given)
        if not set(rows) <= set(known):
            known += rows

    def _are_rows(self, given: list[torch.Tensor]) -> bool:
        """Whether this is data, and no parameter is behind it."""
        held = self._training.weights.held
        asked = [each for each in given if each.requires_grad]
        return bool(given[0].dim()) and not any(_is_parameter(leaf, held) for each in asked for leaf in _leaves(each))

    def _end(self) -> None:
        self._pass.ended = not self._session.record.stopped


def _is_parameter(leaf: torch.Tensor | None, held: Collection[int]) -> bool:
    return leaf is None or isinstance(leaf, torch.nn.Parameter) or id(leaf) in held


def _leaves(tensor: torch.Tensor) -> Iterator[torch.Tensor | None]:
    """The tensors that gradients go to from one; ``None`` where they are not looked for any further."""
    if tensor.grad_fn is None:
        yield tensor
    pending, seen = [tensor.grad_fn], set[Any]()
    while pending:
        function = pending.pop()
        if function is None or function in seen:
            continue
        seen.add(function)
        if hasattr(function, "variable"):
            yield function.variable
        elif len(seen) > _FAR:
            yield None
            return
        pending += [each for each, _ in function.next_functions]


def _has_parameters(module: torch.nn.Module) -> bool:
    """Whether a module is a model; what has none may be a transform, which a data set applies to a sample."""
    return next(module.parameters(), None) is not None


def install(session: Session, training: Training) -> None:
    """Watch all modules."""
    made = Made(session, training)
    torch.nn.Module.__call__ = made.watched(torch.nn.Module.__call__)
    training.made = made.number
    training.ended.append(made.stepped)
