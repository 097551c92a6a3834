"""Which options a script has by its text, and what is said of a factor that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from corro.bench.options import Option, chosen, options_of
from corro.errors import UsageError
from corro.source import SourceFile, read_source

ARGPARSE = """\
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("-b", "--batch_size", type=int, default=64)
parser.add_argument("--amp", action="store_true")
parser.add_argument("--bias", action=argparse.BooleanOptionalAction)
"""


def script(folder: Path, text: str) -> SourceFile:
    (folder / "train.py").write_text(text, encoding="utf-8")
    return read_source(folder / "train.py")


def test_options_of_argparse(tmp_path: Path) -> None:
    found = options_of([script(tmp_path, ARGPARSE)])
    assert found == {
        "batch-size": Option("--batch_size"),
        "amp": Option("--amp", is_flag=True),
        "bias": Option("--bias", is_flag=True),
    }


def test_options_of_click(tmp_path: Path) -> None:
    text = 'import click\n@click.option("--lr", "-l", default=0.1)\n@click.option("--amp/--no-amp")\ndef main(): ...\n'
    assert {each.written for each in options_of([script(tmp_path, text)]).values()} == {"--lr", "--amp"}


def test_a_factor_is_written_as_the_script_writes_it(tmp_path: Path) -> None:
    option = chosen("batch-size", [script(tmp_path, ARGPARSE)], ("64", "128"))
    assert option.arguments("128") == ("--batch_size", "128")


def test_a_flag_is_there_or_not(tmp_path: Path) -> None:
    option = chosen("amp", [script(tmp_path, ARGPARSE)], ("off", "on"))
    assert option.arguments("on") == ("--amp",)
    assert option.arguments("off") == ()


def test_a_flag_has_no_value(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--amp has no value, and '64' is given"):
        chosen("amp", [script(tmp_path, ARGPARSE)], ("64",))


def test_an_option_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no option --batchsize\. Did you mean batch-size\?"):
        chosen("batchsize", [script(tmp_path, ARGPARSE)], ("64",))


def test_a_script_that_reads_no_options_has_a_number_in_its_text(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"train.py:2:1: .*reads no options.*batch_size = 64.*add_argument"):
        chosen("batch-size", [script(tmp_path, "import torch\nbatch_size = 64\n")], ("64",))


def test_options_that_are_no_text_are_believed(tmp_path: Path) -> None:
    text = "import fire\ndef main(batch_size=3): ...\nfire.Fire(main)\n"
    assert chosen("batch_size", [script(tmp_path, text)], ("3",)) == Option("--batch_size")
