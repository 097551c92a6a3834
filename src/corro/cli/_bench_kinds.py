"""What ``corro bench`` is called for: a script, a plan of several, or the device."""

from __future__ import annotations

from typing import Any

import click

from corro.cli import _options

_DEVICE = "device"
"""A script of that name is reached as ``./device``."""


class OfBench(_options.OfScript):
    """``corro bench``, and the commands that it is with ``--plan FILE`` or ``device`` in the place of a script."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """The context of the command that is meant."""
        if args[:1] == [_DEVICE]:
            from corro.cli._bench_device import command as of_device

            return of_device.make_context(f"{info_name} {_DEVICE}", args[1:], parent, **extra)
        before = args[: args.index("--")] if "--" in args else args
        if any(each.partition("=")[0] == "--plan" for each in before):
            from corro.cli._bench_plan import command as planned

            return planned.make_context(info_name, args, parent, obj=self, **extra)
        return super().make_context(info_name, args, parent, **extra)
