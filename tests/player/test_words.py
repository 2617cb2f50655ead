"""The player's own way with words and numbers, beside Python's."""

import json
import subprocess

import pytest

from svmviz.maths.words import fill
from svmviz.player import WEB
from tests.player.test_symbols import NODE

SCRIPT = """
const { fill, unbroken } = await import(process.argv[1]);
let text = ""; for await (const part of process.stdin) text += part;
const { filled, said } = JSON.parse(text);
console.log(JSON.stringify([filled.map(([template, v]) => fill(template, { v })), said.map(unbroken)]));
"""
SPECS = ["{v}", "{v:g}", "{v:.3g}", "{v:.2f}"]
NUMBERS = [0, 7, 9999, 10_000, 90_000, 1_234_567, -12_345, 9999.5, 12_345.678, -0.001, 5e-6, 2e14]


@pytest.fixture(scope="module")
def words():
    def ask(filled=(), said=()):
        done = subprocess.run([NODE, "--input-type=module", "-e", SCRIPT, (WEB / "engine" / "words.js").as_uri()], text=True,
                              input=json.dumps({"filled": filled, "said": said}), capture_output=True, encoding="utf-8",
                              check=True)
        return json.loads(done.stdout)
    return ask


def test_player_and_server_write_a_number_alike(words):
    cases = [(spec, v) for v in NUMBERS for spec in (SPECS if isinstance(v, int) else SPECS[1:])]
    assert words(cases)[0] == [fill(spec, {"v": v}) for spec, v in cases]
    assert fill("{v} of {v:.0f}", {"v": 90_000}) == "90\u202f000 of 90\u202f000"


@pytest.mark.parametrize("lines", [
    ["‖w‖_>_r:", "w_←_1.00/1.20_w."],
    ["m_=_y_f(x)", "=_*0.28*_<_1:", "w_←_(1_−_1/9)_w_+_η_y_x", "=_0.889_w_+_11.1_y_x."],
    ["α_=_clip((1_−_y_f)/k,_0,_C)", "=_clip(0.3/1,_0,_2)", "=_0.3."],
    ["Point", "12_(+1)", "has", "margin", "*0.28*,", "below", "1:", "a", "step", "of", "η_=_11.1", "along", "y_x."],
    ["‖Δ‖²_=_α[m]²_+_α[n]²_+_2_α[m]_α[n]_K[m,_n]", "−_α[z]²", "=_*0.1*."],  # or it would be longer than a line of a phone
], ids=lambda lines: lines[0])
def test_a_line_breaks_between_words_and_between_equal_terms_only(words, lines):
    (_, (said,)) = words(said=[" ".join(lines).replace("_", " ")])
    assert said.split(" ") == [line.replace("_", "\xa0") for line in lines]


def test_of_two_classes_the_second_looks_as_plus_one_does_everywhere():
    """Which look a class has: the first is the blue disc of +1, the second the orange diamond of -1."""
    script = ("const { lookOf } = await import(process.argv[1]);"
              "console.log(JSON.stringify([2, 3].map(scores => [0, 1].map(c => lookOf({ scores }, c)))))")
    done = subprocess.run([NODE, "--input-type=module", "-e", script, (WEB / "engine" / "scores.js").as_uri()], text=True,
                          capture_output=True, check=True)
    assert json.loads(done.stdout) == [[1, 0], [0, 1]]
