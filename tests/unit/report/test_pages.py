"""What stands on the page, in each of its forms."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from corro.report.chapters import Section, chapter_of
from corro.report.found import Found, found
from corro.report.pages import write
from report_support import SCRIPT, TRAINING, bench, profile, trace, verdict


@pytest.fixture
def results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Found:
    """All kinds of results of a script, in the current folder."""
    monkeypatch.chdir(tmp_path)
    Path(SCRIPT).write_text(TRAINING)
    bench(Path("train_bench.sqlite"))
    trace(Path("train_trace.json"))
    trace(Path("train_trace_horovod.json"), "horovod")
    verdict(Path("train_verify.json"))
    profile(Path("train_forecast.json"))
    (one,) = found([SCRIPT], tmp_path)
    return one


def section(one: Found, title: str) -> Section:
    return next(each for each in chapter_of(one).sections if each.title.startswith(title))


def test_the_answers_stand_first(results: Found) -> None:
    short = chapter_of(results).short
    assert short[0].startswith("2 processes (ddp, 1 thread each, batch-size ")
    assert re.search(r"are 1\.6 \(95 % interval .*\) times as fast as 1\.", short[0])
    assert any("accuracy is that of the sequential run within 0.05" in each for each in short)
    assert "Of one property: PASS." in short


def test_the_sections_of_all_results(results: Found) -> None:
    titles = [each.title for each in chapter_of(results).sections]
    assert titles == [
        "What was run",
        "How much faster it is",
        "What was measured",
        "Whether it is as good",
        "Where the time of a step goes",
        "What more processes would bring",
        "Whether it trains the same model (ddp, 2 processes)",
        "What is changed for ddp, and why",
        "What is changed for horovod, and why",
        "How to repeat it",
    ]


def test_all_that_was_measured_is_drawn(results: Found) -> None:
    names = [figure.name for each in chapter_of(results).sections for figure in each.figures]
    assert names == [
        "speed-up",
        "processes",
        "wall-time",
        "over-time-accuracy",
        "phases",
        "timeline-ddp-2-processes",
        "timeline-horovod-2-processes",
        "forecast",
    ]


def test_a_figure_has_the_colour_of_the_text_around_it(results: Found) -> None:
    for figure in section(results, "How much faster").figures:
        drawn = figure.svg()
        assert 'fill="currentColor"' in drawn
        assert "background" not in drawn.partition(">")[0]
        alone = figure.svg(alone=True)
        ElementTree.fromstring(alone)
        assert 'fill="black"' in alone
        assert "background:white" in alone.partition(">")[0]


def test_the_changes_are_those_of_corro_compile(results: Found) -> None:
    changed = section(results, "What is changed for ddp")
    assert "+import torch.distributed as dist" in changed.diff
    reasons = {row[1]: row for row in changed.tables[0].rows}
    assert reasons["train-loader"][0] == "train.py:7:10"
    assert reasons["train-loader"][2]


def test_a_script_that_cannot_be_converted_now(results: Found) -> None:
    Path(SCRIPT).write_text("for i in range(3):\n    print(i)\n")
    changed = section(results, "What is changed for ddp")
    assert changed.said == ("the script is not converted as it is now: nothing to convert",)
    Path(SCRIPT).write_text("for i in\n")
    assert "invalid syntax" in section(results, "What is changed for ddp").said[0]


def test_a_script_that_is_elsewhere(results: Found) -> None:
    Path(SCRIPT).unlink()
    assert not [each for each in chapter_of(results).sections if each.title.startswith("What is changed")]


def test_commands_that_made_it_and_those_that_would_make_more(results: Found) -> None:
    assert section(results, "How to repeat").commands == (
        "corro bench train.py -n 1,2 --factor batch-size=32,64",
        "corro trace train.py --to ddp",
        "corro trace train.py --to horovod",
        "corro verify train.py --to ddp",
    )
    only = Found(SCRIPT, verdicts=results.verdicts)
    assert section(only, "How to repeat").commands == (
        "corro verify train.py --to ddp",
        "corro bench train.py -n 2",
        "corro trace train.py -n 2",
        "corro forecast train.py --to 8,64 --network 25gbit",
    )


def test_a_slower_network_is_less_efficient_and_weak_scaling_more(results: Found) -> None:
    more = section(results, "What more processes would bring")
    (table,) = more.tables
    assert table.head[:3] == ("network", "scaling", "2 processes")
    values = {row[:2]: float(row[-1].partition("%")[0]) for row in table.rows}
    for scaling in ("strong", "weak"):
        own = [values[each, scaling] for each in ("1gbit", "10gbit", "25gbit", "100gbit")]
        assert own == sorted(own)
        assert own[0] < own[-1]
    assert values["1gbit", "weak"] > values["1gbit", "strong"]
    assert any(said.startswith("1gbit: With strong scaling") for said in more.said)


def test_a_failed_verification_says_where(results: Found) -> None:
    verdict(Path("bad_verify.json"), status="FAIL")
    (one,) = found(["bad_verify.json"], Path())
    row = section(one, "Whether it trains").tables[0].rows[0]
    assert row[0] == "not equal"
    assert "the gradient is not the mean: 2 instead of 1 (train.py:14)" in row[2]


class _Page(HTMLParser):
    """What a page would load, and whether each of its elements is closed."""

    EMPTY = frozenset({"meta", "link", "br", "hr", "img", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [f"{tag} {value}" for name, value in attrs if name in ("src", "srcset", "data")]
        self.loaded += [f"{tag} {value}" for name, value in attrs if tag == "link" and name == "href"]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_loads_nothing_and_is_well_formed(results: Found, tmp_path: Path) -> None:
    write([results], tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    page = _Page(text)
    assert page.open == []
    assert page.loaded == ["link data:,"]
    assert not re.findall(r"url\(|@import|<script", text)
    assert text.count("<svg") == 8


def test_what_is_not_ours_is_text_on_the_page(results: Found, tmp_path: Path) -> None:
    told = dict(results.verdicts[0])
    one = Found("<b>.py", verdicts=({**told, "conclusion": "<script>alert(1)</script> & more"},))
    write([one], tmp_path / "report.html")
    text = (tmp_path / "report.html").read_text()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; more" in text
    assert "<b>.py" not in text


def test_markdown_has_its_figures_beside_it(results: Found, tmp_path: Path) -> None:
    written = write([results], tmp_path / "speed.md")
    text = (tmp_path / "speed.md").read_text()
    linked = re.findall(r"\]\((\S+\.svg)\)", text)
    assert sorted([*linked, "speed.md"]) == sorted(each.name for each in written)
    for name in linked:
        ElementTree.parse(tmp_path / name)
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(tables) >= 8
    for table in tables:
        assert len({line.count("|") - line.count("\\|") for line in table.splitlines()}) == 1


def test_the_figures_of_two_scripts_have_names_of_their_own(results: Found, tmp_path: Path) -> None:
    bench(tmp_path / "other_bench.sqlite", script="other.py")
    both = found([SCRIPT, "other_bench.sqlite"], tmp_path)
    written = [each.name for each in write(both, tmp_path / "both.md")]
    assert len(set(written)) == len(written) == 8 + 4 + 1
    assert {"both-1-speed-up.svg", "both-2-speed-up.svg"} <= set(written)


def test_json_has_everything(results: Found, tmp_path: Path) -> None:
    write([results], tmp_path / "report.json")
    (told,) = json.loads((tmp_path / "report.json").read_text(), parse_constant=pytest.fail)["scripts"]
    (experiment,) = told["experiments"]
    assert len(experiment["runs"]) == 3 * len(experiment["design"]["treatments"])
    assert experiment["comparisons"]
    assert [each["target"] for each in told["traces"]] == ["ddp", "horovod"]
    assert told["verifications"][0]["results"][0]["status"] == "PASS"
    assert [each["target"] for each in told["changes"]] == ["ddp", "horovod"]


def test_csv_has_a_row_for_each_run(results: Found, tmp_path: Path) -> None:
    write([results], tmp_path / "runs.csv")
    with (tmp_path / "runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(results.experiments[0].rows)
    assert {row["batch-size"] for row in rows} == {"32", "64"}
    assert all(float(row["samples_per_second"]) > 0 and row["accuracy"] for row in rows)
