"""What others wrote is what they published, and says under which licence."""

import hashlib

from svmviz.player import WEB
from svmviz.player.files.scripts import LIBRARIES, modules

FOLDER = WEB / LIBRARIES


def test_each_library_is_listed_with_its_digest_and_has_its_licence():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    listed = {row[0]: row[-1] for row in rows[2:]}
    there = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in FOLDER.iterdir()
        if path.suffix in (".css", ".js", ".woff2")
    }
    assert listed == there
    for name in there:
        assert "opyright" in (FOLDER / f"{name.split('.')[0]}.LICENSE.txt").read_text(
            encoding="utf-8"
        )


def test_nobody_reads_a_library_before_it_is_needed():
    assert not any(name.startswith(LIBRARIES) for name in modules())
