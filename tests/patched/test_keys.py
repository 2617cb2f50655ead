"""What `svmviz.patched.keys` needs of Streamlit's browser side."""

import re
from pathlib import Path

import streamlit

from svmviz.patched.keys import key_class


def test_streamlit_still_makes_the_class_of_a_key_this_way():
    scripts = (Path(streamlit.__file__).parent / "static").rglob("*.js")
    rule = re.compile(r"`st-key-`\+\w+\.trim\(\)\.replaceAll\(/\[\^a-zA-Z0-9_-\]/g,`-`\)")
    written = any(rule.search(path.read_text(encoding="utf-8")) for path in scripts)
    assert written, f"Streamlit {streamlit.__version__} makes another class: patched/keys.py"
    assert key_class(" 7.sbp.nü") == "st-key-7-sbp-n-" and key_class(None) is None
