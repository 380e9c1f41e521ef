"""The report page: one file that carries everything, small, and drawn by a real browser where there is one."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from threadproof import verify
from threadproof.cli.report import write_report
from threadproof.frontend import FrontendOptions

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    file = str(EXAMPLES / "lost_update.c")
    answers = verify(file, ["unreach-call", "no-deadlock"], engine="explicit", timeout=60)
    return Path(write_report(str(folder), answers, [file], FrontendOptions()))


def test_one_file_with_everything(report: Path) -> None:
    text = report.read_text(encoding="utf-8")
    assert len(text) < 400_000
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    found = re.search(r'<script id="data" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    false, true = json.loads(found[1])["answers"]
    assert false["verdict"] == "false"
    assert len(false["moments"]) == len(false["steps"]) + 1
    assert false["binary"]
    assert false["machine"]["names"][:2] == ["main", "T1"]
    assert any(change["variables"].get("counter") == "1" for change in false["moments"])
    assert true["verdict"] == "true"
    assert true["drawing"].startswith("<svg")


def test_text_of_the_program_cannot_end_the_data(tmp_path: Path) -> None:
    file = tmp_path / "odd.c"
    file.write_text('char *text = "</script><b>";\nint main(void) { return 0; }\n', encoding="utf-8")
    page = write_report(str(tmp_path), verify(str(file), timeout=60), [str(file)], FrontendOptions())
    assert Path(page).read_text(encoding="utf-8").count("</script>") == 2


def test_in_a_browser(report: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no Chromium here")
    command = [browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=2000", "--dump-dom"]
    done = subprocess.run([*command, f"{report.as_uri()}#step=4;T2;T2"], capture_output=True, text=True, timeout=60)
    assert "step 6 of 6" in done.stdout
    assert "return to the counterexample" in done.stdout
    assert re.search(r'<tr class="now live" data-step="6">', done.stdout)
