"""The browser reads and writes storyboards as Python does; slides and pages hold what a storyboard
says, and only as text.
"""

import json
import re
import subprocess
import zipfile
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from svmviz import cli
from svmviz.player import WEB
from svmviz.player.files import board as boardpage
from svmviz.player.files import deck
from svmviz.run.storyboard import Board, Broken, Moment, packed, read, unpacked, write
from tests.player.node.ask import NODE
from tests.run.test_storyboard import BOARDS, LINES

EVIL = "</script><img src=x onerror=alert(1)> & \"'"
MOONS = "data=moons&n=30&T=60"
BOARD = Board(
    EVIL,
    (
        Moment(f"{MOONS}&t=12", EVIL, f"{EVIL}\n\nsecond"),
        Moment(f"{MOONS}&t=40&beat=add", "", "later"),
        Moment("data=gone&t=3", "", "lost"),
        Moment("data=blobs&n=30&solver=sbp&T=20&t=5"),
        Moment(f"{MOONS}&t=3"),
    ),
)


def browser(asked: list[dict]) -> list[dict]:
    script = Path(__file__).parent / "node" / "storyboard.mjs"
    done = subprocess.run(
        [NODE, "--no-warnings", script, WEB.as_uri()],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    return json.loads(done.stdout)


def told(text: str) -> dict:
    try:
        board = read(text)
    except Broken as broken:
        return {"error": str(broken)}
    return {"board": board, "text": write(board)}


@settings(max_examples=5)
@given(
    st.lists(BOARDS.map(write), max_size=20),
    st.lists(st.lists(LINES, max_size=8).map("\n".join), max_size=40),
)
def test_the_browser_reads_and_writes_as_python_does(written, any_texts):
    texts = [*written, *any_texts]
    texts += [
        "",
        "\ufeff# A\r\n\r\n?t=1\r\n x \t\r\n\r\n",
        "# A\n## B\n## C\n?t=1\n\\?x\n\\\\y\n#z",
        "?t=1 2",
        "?t=1\n" * 61,
        "?t=1\n" + "𝄞" * 2001,
        "# " + "x" * 130 + "\nhttps://a.b/?t=4#x\nhttps://a.b/?t=4",
        EVIL,
    ]
    for text, theirs in zip(texts, browser([{"text": text} for text in texts]), strict=True):
        mine = told(text)
        if "board" in mine:
            board = mine["board"]
            assert theirs["text"] == mine["text"]
            assert theirs["board"] == {
                "title": board.title,
                "moments": [moment._asdict() for moment in board.moments],
            }
            assert unpacked(theirs["sent"]) == board, "a link that the browser made"
        else:
            assert theirs == mine


def test_the_browser_opens_a_link_that_python_made():
    [theirs, cut, nonsense] = browser(
        [{"sent": packed(BOARD)}, {"sent": packed(BOARD)[:-9]}, {"sent": "%"}]
    )
    assert theirs["text"] == write(BOARD)
    assert (
        cut == nonsense == {"error": "the link to a storyboard is damaged; perhaps it was cut off"}
    )


class Read(HTMLParser):
    """The elements of a page, and all of its text."""

    def __init__(self, text: str):
        super().__init__()
        self.found, self.said = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.said.append(data)


def test_slides_hold_moments_of_a_run_together_and_nothing_but_text():
    found, said = deck.files(BOARD)
    assert sorted(name for name in found if name.startswith("run-")) == ["run-1.html", "run-2.html"]
    assert [line.partition(":")[0] for line in said] == ["Moment 3"]
    page = Read(found["index.html"].decode())
    sections = [attrs.get("class") for tag, attrs in page.found if tag == "section"]
    assert sections == ["first", "run", "first", "run", "run"]
    frames = [attrs["data-src"] for tag, attrs in page.found if tag == "iframe"]
    assert frames == [
        f"run-{run}.html#present=1&t={t}&x=steps" for run, t in ((1, 12), (2, 5), (1, 3))
    ]
    steps = [attrs["data-at"] for tag, attrs in page.found if tag == "span"]
    assert steps == ["t=40&beat=add&x=steps"]
    assert not any(tag == "img" for tag, _ in page.found) and EVIL in "".join(page.said)
    assert [attrs["data-title"] for tag, attrs in page.found if "data-title" in attrs][0] == EVIL
    assert read(found["storyboard.txt"].decode()) == BOARD
    with zipfile.ZipFile(BytesIO(deck.zipped(found, "talk"))) as archive:
        assert {f"talk/{name}" for name in found} == set(archive.namelist())


def test_a_page_holds_every_run_once():
    text, said = boardpage.of_board(BOARD)
    about = json.loads(re.search(r'id="svmviz-page">(.*?)</script>', text)[1])
    assert about["runs"] == ["run-1", "run-2"] and about["board"]["runs"] == [0, 0, -1, 1, 0]
    assert (
        about["board"]["moments"][0]["title"] == EVIL
        and "cannot be shown" in about["board"]["said"][2]
    )
    assert len(text) < 450_000 and len(said) == 1


def test_the_command_line_makes_them_of_a_file_or_a_link(tmp_path, capsys):
    file = tmp_path / "talk.txt"
    file.write_text(write(BOARD), encoding="utf-8")
    assert cli.main(["slides", str(file), "-o", str(tmp_path / "deck")]) == 0
    assert (tmp_path / "deck" / "index.html").exists() and (
        tmp_path / "deck" / "reveal" / "reveal.js"
    ).exists()
    link = f"https://svm.example/?{MOONS}#board={packed(BOARD)}"
    for name, start in (("deck.zip", b"PK"), ("talk.html", b"<!doctype html>"), ("talk.md", b"# ")):
        assert cli.main(["slides", link, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(start)
    assert '"home":"https://svm.example/"' in (tmp_path / "talk.html").read_text(encoding="utf-8")
    capsys.readouterr()
    file.write_text("# A\nwords", encoding="utf-8")
    assert cli.main(["slides", str(file), "-o", str(tmp_path / "none")]) == 2
    assert "talk.txt, line 2: “words” stands before the link" in capsys.readouterr().err
    assert cli.main(["slides", str(tmp_path / "gone.txt"), "-o", str(tmp_path / "none")]) == 2
