"""Articles: every file can be shown, its numbers are those of its runs, and what is wrong in one is
said with its place.
"""

import re

import numpy as np
import pytest

from svmviz.lessons import articles, lesson
from svmviz.lessons.checking import Runs, unknown
from svmviz.lessons.heads import Broken
from svmviz.solvers.bsgd import budget
from svmviz.solvers.bsgd.maintenance import merge
from svmviz.ui.papers.articles import PAPERS, QUESTIONS, article, questions
from tests.tools.cases import together

SECTIONS = [
    (name, k)
    for name in PAPERS
    for k, section in enumerate(article(name).sections)
    if section.scene
]
START = "# A paper\nsolver: sbp\nby: Somebody\nlead: Water.\n\n"
RUN = "run: data=moons&n=40&solver=sbp&nu=0.05&T=30\n"


@pytest.fixture(scope="module")
def runs() -> Runs:
    return Runs()


@pytest.mark.parametrize("name", PAPERS)
def test_an_article_opens_with_a_wide_stage_that_plays(name):
    found = article(name)
    first = found.sections[0].scene
    assert found.solver == name and found.by and found.lead
    assert (
        first.wide
        and first.play == 3
        and "mechanism" in first.show
        and first.t + first.play <= first.recipe.steps
    )
    assert sum(section.scene is not None for section in found.sections) >= 3
    assert len({section.title for section in found.sections}) == len(found.sections)


KIN = {"simba": ("chw",), "pegasos": ("bias",)}  # of whom an article may show a run, too


@together("name, k", SECTIONS)
def test_a_section_has_the_numbers_that_it_names(name, k, runs):
    section = article(name).sections[k]
    known = runs.facts(section.scene.recipe, section.scene.t)
    assert not [words for tree in articles.values(section) for words in unknown(tree, known)]
    for text in (section.text, *(note.text for note in section.notes)):
        assert not re.search(r"\{\{|\b(nan|inf)\b", articles.filled(text, known))
    assert section.scene.recipe.quick() and section.scene.recipe.solver in (
        name,
        *KIN.get(name, ()),
    )


def test_where_any_two_may_merge_the_example_leaves_the_smallest_alone():
    scene = next(
        section.scene for section in article("bsgd").sections if "**Any two.**" in section.text
    )
    trace, t = scene.recipe.trace(), scene.t
    rack, own, kernel = (
        trace.overflow(t),
        {name: trace.scalars[name][t] for name in ("m", "n", "degradation")},
        trace.kernel(t),
    )
    size = np.abs(rack.coef).ravel()
    tied = np.flatnonzero(size <= size.min() * (1 + merge.EQUAL))
    smallest = tied[rack.since[tied].argmin()]
    partners = budget.candidates(
        rack.vectors, rack.coef.reshape(-1, 1), kernel.gamma, smallest, kernel.plus, kernel.kind
    )
    assert rack.row[smallest] not in (own["m"], own["n"])
    assert own["degradation"] < partners.degradation[partners.same_side].min()


@pytest.mark.parametrize("name", PAPERS)
def test_an_article_has_few_runs(name):
    assert (
        len({section.scene.recipe.key() for section in article(name).sections if section.scene})
        <= 6
    )


@pytest.mark.parametrize("name", PAPERS)
def test_an_article_leads_to_questions_of_its_lesson(name):
    found = questions(name)
    assert len(found) == QUESTIONS
    assert all(
        lesson(name).cards[k - 1].kind == "predict" and lesson(name).cards[k - 1].title == title
        for k, title in found
    )


def test_notes_are_told_from_the_text_and_from_what_was_printed():
    text = (
        "So it is {{level:.2f}}.\n\n> By the way.\n\n> as printed, Lemma 2: a sign\n> is"
        " lost.\n\nAnd on.\n"
    )
    section = articles.read(f"{START}## One\n{RUN}t: 3\n\n{text}", "a.md").sections[0]
    assert section.text == "So it is {{level:.2f}}.\n\nAnd on."
    assert section.notes == (
        articles.Note("By the way."),
        articles.Note("a sign is lost.", "Lemma 2"),
    )
    assert articles.filled(section.text, {"level": -0.25}) == "So it is −0.25.\n\nAnd on."


def test_a_section_that_names_a_step_shows_the_run_before():
    text = f"{START}## One\n{RUN}\nText.\n\n## Two\nt: 7\n\nText.\n\n## Three\n\nText.\n"
    one, two, three = articles.read(text, "a.md").sections
    assert two.scene.recipe == one.scene.recipe and two.scene.t == 7 and three.scene is None


@pytest.mark.parametrize(
    ("section", "line", "words"),
    [
        (f"{RUN}t: 31\n\nText.", 8, "t: "),
        (f"{RUN}show: basin\n\nText.", 8, "there is no 'basin'"),
        (f"{RUN}light: watr\n\nText.", 8, "did you mean water?"),
        (f"{RUN}beat: ad\n\nText.", 8, "did you mean add?"),
        (f"{RUN}wide: no way\n\nText.", 8, "there is no 'no way'"),
        (f"{RUN}hint: none\n\nText.", 8, "there is no head line 'hint'"),
        ("run: data=moons&n=2000&solver=sbp&T=20000\n\nText.", 7, "takes too long"),
        (f"{RUN}\nText.\n\nAnd {{{{level +}}}}.", 11, ""),
        ("\nText {{level}}.", 8, "this section names none"),
    ],
)
def test_what_is_wrong_is_said_with_file_section_and_line(section, line, words):
    with pytest.raises(Broken) as broken:
        articles.read(f"{START}## The water\n{section}\n", "mine.md")
    assert f"mine.md, line {line}, section “The water”: " in str(broken.value) and words in str(
        broken.value
    )
