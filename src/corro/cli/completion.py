"""``corro completion SHELL``: print what teaches a shell to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_EPILOG = """
\b
For this shell:       eval "$(corro completion bash)"
For every new one:    corro completion bash >> ~/.bashrc
                      corro completion zsh  >> ~/.zshrc
                      corro completion fish > ~/.config/fish/completions/corro.fish
"""


@click.command("completion", epilog=_EPILOG)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of a shell."""
    completion = get_completion_class(shell)
    root = ctx.find_root()
    if completion is None:
        raise click.UsageError(f"no completion for {shell}")
    source = completion(root.command, {}, root.info_name or "corro", "_CORRO_COMPLETE")
    click.echo(source.source_template % source.source_vars())
