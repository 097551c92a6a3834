"""``corro report``: the page of what other commands left, and what is said where there is nothing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from browser_support import complaints, opened
from corro.cli import main
from report_support import SCRIPT, TRAINING, bench, trace, verdict


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / SCRIPT).write_text(TRAINING)
    return tmp_path


def corro(*arguments: str) -> int:
    """The exit status of a command, in this process."""
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    return int(ended.value.code or 0)


@pytest.mark.slow
def test_what_the_commands_leave_is_one_page(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    short = ("-n", "2", "--to", "ddp", "--steps", "5")
    assert corro("bench", SCRIPT, *short, "--replications", "1", "--no-limits", "--warm-up", "1") == 0
    assert corro("trace", SCRIPT, *short, "--warm-up", "1") == 0
    assert corro("verify", SCRIPT, *short, "-o", "train_verify.json") == 0
    assert json.loads((home / "train_verify.json").read_text())["conclusion"].startswith("It trains the same model")
    capsys.readouterr()
    assert corro("report", SCRIPT, "-o", "speed.md") == 0
    assert "wrote speed.md" in capsys.readouterr().err
    text = (home / "speed.md").read_text()
    for command in ("bench", "trace", "verify"):
        assert f"corro {command} train.py -n 2 --to ddp --steps 5" in text
    assert "It trains the same model as the sequential run" in text


@pytest.mark.slow
def test_a_page_in_the_colours_and_width_that_a_reader_has(
    home: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    bench(home / "train_bench.sqlite")
    trace(home / "train_trace.json")
    verdict(home / "train_verify.json")
    assert corro("report", SCRIPT) == 0
    with opened(tmp_path_factory.mktemp("downloads")) as browser:
        paper = {}
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            for width in (400, 1400):
                size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
                browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
                browser.get((home / "train_report.html").as_uri())
                assert complaints(browser) == []
                wide = browser.execute_script("return document.documentElement.scrollWidth")
                assert wide <= width
                drawn = browser.find_elements(By.CSS_SELECTOR, "figure svg")
                assert len(drawn) == 6
                assert all(each.size["height"] > 40 for each in drawn)
            body = browser.find_element(By.TAG_NAME, "body")
            label = browser.find_element(By.CSS_SELECTOR, "figure svg text")
            paper[scheme] = body.value_of_css_property("background-color")
            ink = re.sub(r"rgba\((.*), 1\)", r"rgb(\1)", body.value_of_css_property("color"))
            assert label.value_of_css_property("fill") == ink
        assert paper["light"] != paper["dark"]
        names = "return performance.getEntriesByType('resource').map(each => each.name)"
        assert browser.execute_script(names) == []


def said(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "corro", "report", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([SCRIPT, "-o", "page.pdf"], "-o page.pdf: it can be .html, .md, .json or .csv."),
        (["other.py"], "there are no results of other.py here"),
        (["nothing.json"], "nothing.json cannot be read: No such file or directory."),
        (["train_trace.json", "-o", "runs.csv"], "-o runs.csv: there are no runs of corro bench"),
        (["train_trace.json", "-o", "train_trace.json"], "-o train_trace.json is one of the files that are reported."),
        (["train_trace.json", "-o", "missing/page.html"], "missing/page.html cannot be written"),
        ([], "missing argument"),
    ],
)
def test_wrong_usage(home: Path, arguments: list[str], message: str) -> None:
    trace(home / "train_trace.json")
    before = {each.name: each.read_bytes() for each in home.iterdir()}
    ended = said(*arguments)
    assert ended.returncode == 2
    assert message in ended.stderr
    assert "Traceback" not in ended.stderr
    assert {each.name: each.read_bytes() for each in home.iterdir()} == before


@pytest.mark.parametrize("command", ["trace", "verify"])
def test_no_script_is_written_over_by_results(home: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert corro(command, SCRIPT, "-o", SCRIPT) == 2
    assert "its name has to end in .json" in capsys.readouterr().err
    assert (home / SCRIPT).read_text() == TRAINING
