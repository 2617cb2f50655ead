"""Lessons: every card of every file can be shown, what is wrong in a file is said with its line,
and where a learner is.
"""

import base64
import re
from urllib.parse import urlencode

import numpy as np
import pytest

from svmviz import lessons
from svmviz.lessons import expressions, prose
from svmviz.lessons.checking import MOST_RUNS, Runs, check, solved, wrong
from svmviz.lessons.facts import facts
from svmviz.lessons.heads import Broken
from svmviz.lessons.reading import MOST_CARDS, Card, read
from svmviz.lessons.study import Study, turned
from svmviz.lessons.writing import of_board
from svmviz.player.wire import run
from svmviz.run.storyboard import Board, Moment
from svmviz.solvers import SOLVERS
from svmviz.work.words import fill
from tests.player.test_parity import player  # noqa: F401  a fixture
from tests.tools.cases import Cases, together
from tests.tools.rotation import by_turns
from tests.tools.saying import same_words

TYPED = re.compile(r"(?<![\w.])\d+(?:\.\d+)?")
FREE = {"0", "1", "2", "3", "100"}  # small numbers that hold whatever the run


def words(parts) -> str:
    """The text of a card without what is put into it."""
    return "".join(
        part if isinstance(part, str) else words(part.get("em") or part.get("strong") or [])
        for part in parts
    )


@pytest.mark.parametrize("key", lessons.LESSONS)
def test_a_lesson_has_seven_to_ten_cards_of_three_kinds(key):
    kinds = [card.kind for card in lessons.lesson(key).cards]
    assert 7 <= len(kinds) <= 10
    assert kinds.count("task") >= 2 and kinds.count("predict") >= 3 and "tell" in kinds
    assert lessons.lesson(key).about and 10 <= lessons.lesson(key).minutes <= 20


SLOW = "field", "bsgd", "simba", "losses"  # their cards take half a second and more


@pytest.mark.parametrize(
    "key",
    by_turns(
        sorted(lessons.LESSONS, key=SLOW.__contains__), 5, always=len(lessons.LESSONS) - len(SLOW)
    ),
)
def test_lesson_cards_can_be_shown_and_the_player_says_the_numbers_of_their_traces(key, player):  # noqa: F811
    runs = Runs()
    with Cases() as cases:
        for k, card in enumerate(lessons.lesson(key).cards, 1):
            with cases.case(f"card {k} can be shown and its task done"):
                assert not list(wrong(card, runs))
                for block in (*card.before, *card.after):
                    assert set(TYPED.findall(words(block["parts"]))) <= FREE, (
                        "a number of the run is typed in"
                    )
            with cases.case(f"card {k} has the numbers of the trace"):
                numbers_agree(card, runs, player)


def numbers_agree(card: Card, runs: Runs, player) -> None:  # noqa: F811
    """Check what the player knows and says on a card against the trace."""
    beat = next(
        (q.beat for q in SOLVERS[card.recipe.solver].story.questions if q.kind == card.ask), ""
    )
    assert card.finds == bool(beat)
    moments = [(card.t, ""), (card.t + bool(card.ask), beat)]
    texts = [
        (k, block["parts"])
        for k, blocks in enumerate((card.before, card.after))
        for block in blocks
    ]
    data = run.encode(run.pack_recipe(card.recipe))
    found = player(studied=base64.b64encode(data).decode(), moments=moments, texts=texts)
    known = [runs.facts(card.recipe, t, bool(before)) for t, before in moments]
    for k, parts in texts:
        for tree, _ in prose.trees(parts):
            for name in expressions.names(tree):
                same(found["facts"][k][name], known[k][name], name)
    for (k, parts), said in zip(texts, found["said"], strict=True):
        same_words(said, spoken(parts, known[k]))


def same(mine, theirs, name: str) -> None:
    if isinstance(theirs, float):
        assert mine == pytest.approx(theirs, rel=1e-4, abs=1e-6), (
            name
        )  # some travel in hundredths of a percent
    else:
        assert mine == theirs, name


def spoken(parts, known) -> str:
    """A text with its numbers put in by Python."""
    out = []
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        elif "value" in part:
            found = expressions.reckon(part["value"], known)
            number = part["format"] and fill(f"{{v:{part['format']}}}", known | {"v": float(found)})
            out.append(number or f"{found}".replace("-", "−"))
        else:
            out.append(
                part.get("code")
                or part.get("text")
                or spoken(part.get("em") or part.get("strong"), known)
            )
    return "".join(out)


BROKEN = {
    "": "begins with its title",
    "text": "begins with its title",
    "# A": "1 to 30 cards, and this one has 0",
    "# A\n\n## B\n\nText": "the first card names its run",
    "# A\n\n## B\nrun: solver=pegasus\n\nText": "run: The link's solver",
    "# A\n\n## B\nrun: solver=sbp\nt: 500\n\nText": (
        "t must be a whole number from 0 to 120, got 500"
    ),
    "# A\n\n## B\nrun: solver=sbp\nt: many\n\nText": "t: a number, got 'many'",
    "# A\n\n## B\nrun: solver=sbp\nshow: plan\n\nText": "there is no 'plan'; did you mean plane?",
    "# A\n\n## B\nrun: solver=sbp\nbeat: addd\n\nText": "did you mean add?",
    "# A\n\n## B\nrun: solver=sbp\ncolour: red\n\nText": "there is no head line 'colour'",
    "# A\n\n## B\nrun: solver=sbp\n": "the card has no text",
    "# A\n\n## B\nrun: solver=sbp\n\n{level": "a brace without its other half",
    "# A\n\n## B\nrun: solver=sbp\n\n{level:.3q}": "'.3q' is no form of a number",
    "# A\n\n## B\nrun: solver=sbp\n\n{__import__('os')}": "cannot be part of an expression",
    "# A\n\n## B\nrun: solver=sbp\n\n{level.__class__}": "cannot be part of an expression",
    "# A\n\n## B\nrun: solver=sbp\n\n[x](https://example.org)": "a link may only lead to a lesson",
    "# A\n\n## B\nrun: solver=sbp\nuntil: wet >=\n\nText": "is no expression",
    "# A\n\n## B\nrun: solver=sbp\nask: nothing\n\nText": "ask: there is no 'nothing'",
    "# A\n\n## B\nrun: solver=sbp\nknob: lam\n\nText": "knob: there is no 'lam'",
    "# A\n\n## B\nrun: solver=sbp&T=20\nt: 20\nask: wet\n\nText": (
        "it asks about step 21, and the run has 20"
    ),
    "# A\n\n## B\nrun: solver=sbp\nask: wet\nuntil: wet > 1\n\nText": (
        "a card asks or sets a task, not both"
    ),
    "# A\n\n## B\nrun: solver=sbp\nrun: solver=sbp\n\nText": "run stands there twice",
    "# A\n\n# B\n\nText": "a second title",
    "# A\n\n## B\nrun: data=digits&solver=sbp&T=20000\n\nText": "takes too long for a lesson",
    "# A\n\n## B\nrun: data=upload:mine\n\nText": "it is an uploaded file",
}


@together("text", BROKEN)
def test_what_is_wrong_in_a_file_is_said_with_its_line(text):
    with pytest.raises(Broken) as raised:
        read(text, "mine.md")
    said = str(raised.value)
    assert BROKEN[text] in said and re.match(r"mine\.md, line \d+", said)


RUN_BROKEN = {
    "Text {wett}": "there is no 'wett' in this run; did you mean wet?",
    "until: wet >= 0\nsolution: nu=0.5\n\nText": "the task is done before it begins",
    "until: wet < 0\nsolution: nu=0.5\n\nText": "its solution does not do what until asks for",
    "until: wet > 60\n\nText": "a task says how it can be done",
}


@pytest.mark.parametrize("text", RUN_BROKEN)
def test_what_only_the_run_shows_to_be_wrong_is_said_too(text):
    head = "# A\n\n## B\nrun: data=moons&n=60&solver=sbp&T=40\nt: 20\n"
    with pytest.raises(Broken, match=re.escape(RUN_BROKEN[text])):
        check(read(head + ("" if text.startswith("until") else "\n") + text, "mine.md"), "mine.md")


def test_several_faults_are_said_at_once_each_with_its_card():
    with pytest.raises(Broken) as raised:
        read(
            "# A\nminutes: soon\n\n## B\nrun: solver=sbp\nt: x\n\nText\n\n## C\nt: y\n\nText",
            "mine.md",
        )
    assert [(fault.line, fault.title) for fault in raised.value.faults] == [
        (2, "A"),
        (6, "B"),
        (11, "C"),
    ]


def test_a_lesson_holds_no_more_than_a_page_can_carry_out():
    cards = "".join(f"\n## C{k}\nrun: solver=sbp&seed={k}\n\nText\n" for k in range(MOST_RUNS + 1))
    with pytest.raises(Broken, match="different runs"):
        check(read("# A\n" + cards, "mine.md"), "mine.md")
    with pytest.raises(Broken, match=f"1 to {MOST_CARDS} cards"):
        read("# A\n" + "\n## C\n\nText\n" * (MOST_CARDS + 1), "mine.md")


def test_text_is_never_markup():
    [block] = prose.blocks("<b>bold</b> & *em* **strong {n}** `code`")
    value = {"value": ["name", "n"], "format": ""}
    assert block["parts"] == [
        "<b>bold</b> & ",
        {"em": ["em"]},
        " ",
        {"strong": ["strong ", value]},
        " ",
        {"code": "code"},
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("-n / 4", -2.0),
        ("n == 8 and not k > 1", True),
        ("max(n, 9) - abs(-1)", 8),
        ("k == 'a' or n < 1", False),
        ("1 / 0 > 0", False),
    ],
)
def test_expressions(text, value):
    assert expressions.reckon(expressions.read(text), {"n": 8, "k": 1}) == value


@pytest.mark.parametrize(
    "text",
    ["n ** 9", "[1]", "lambda: 1", "f(1)", "n[0]", "True", "n if k else 1", "1 < n < 3", "x" * 300],
)
def test_what_is_no_expression(text):
    with pytest.raises(ValueError, match=r"expression|characters"):
        expressions.read(text)


def test_facts_are_those_of_the_state():
    recipe = lessons.lesson("sbp").cards[0].recipe
    trace = recipe.trace()
    found = facts(trace, 20)
    f = trace.f(20, trace.problem.X)
    assert (
        found["wrong"] == ((f >= 0) != (trace.problem.y > 0)).sum()
        and found["n"] == trace.problem.n
    )
    assert found["wet"] == trace.scalars["wet"][21] and found["level"] == pytest.approx(
        trace.scalars["level"][20]
    )


KNOWN = {"sbp": 9, "svm": 7}


def test_a_learner_is_where_link_or_player_say():
    study = Study().opened({"lesson": "sbp", "card": "3"}, KNOWN)
    assert (study.lesson, study.card, study.messages) == ("sbp", 2, ())
    told = study.told(
        {"serial": study.serial, "lesson": "sbp", "card": 5, "turned": {"nu": 0.2}}, KNOWN
    )
    assert (
        told.query() == {"lesson": "sbp", "card": "6"}
        and told.turned == {"nu": 0.2}
        and told.serial == study.serial
    )
    other = told.told({"serial": told.serial, "lesson": "svm", "card": 0, "turned": {}}, KNOWN)
    assert other.query() == {"lesson": "svm", "card": "1"} and other.serial == told.serial + 1
    assert (
        other.told({"serial": told.serial, "lesson": "sbp", "card": 1, "turned": {}}, KNOWN)
        == other
    ), "it comes late"
    assert other.told({"serial": other.serial, "lesson": "", "card": 0}, KNOWN).query() == {}


@pytest.mark.parametrize(
    "heard",
    [
        None,
        3,
        {},
        {"serial": 1, "lesson": "x", "card": 0},
        *({"serial": 1, "lesson": "sbp", "card": card} for card in (99, -1, "1", float("nan"))),
    ],
)
def test_what_no_player_says_changes_nothing(heard):
    study = Study().opened({"lesson": "sbp"}, KNOWN)
    assert study.told(heard, KNOWN).query() == study.query()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"lesson": "spb"}, "did you mean sbp?"),
        ({"lesson": "sbp", "card": "99"}, "cards 1 to 9"),
        ({"lesson": "sbp", "card": "x"}, "cards 1 to 9"),
        ({"z": "1"}, "means nothing"),
    ],
)
def test_a_link_that_leads_nowhere_is_answered(query, said):
    [message] = Study().opened(query, KNOWN).messages
    assert said in message


def test_knobs_take_what_they_can():
    card = Card("", 1, lessons.lesson("sbp").cards[0].recipe)
    assert turned(card.recipe, {"nu": 0.3})[0].params["nu"] == 0.3
    assert turned(card.recipe, {"nu": -1, "z": 2, "kernel": "rbf(gamma=1e9)"}) == (card.recipe, {})


def test_moments_become_cards_that_can_be_read():
    recipe = lessons.lesson("sbp").cards[0].recipe
    links = [
        urlencode(recipe.query() | more)
        for more in ({"t": "7", "beat": "add", "x": "steps"}, {}, {"data": "upload:x"})
    ]
    notes = "# a {b} c\n---\nrun: x\n## d", "", "mine"
    draft, said = of_board(
        Board(
            "Three", tuple(Moment(link, "", note) for link, note in zip(links, notes, strict=True))
        )
    )
    own = read(draft, "mine.md")
    check(own, "mine.md")
    assert [(card.t, card.beat) for card in own.cards] == [(7, "add"), (0, "rest")] and own.cards[
        0
    ].recipe == recipe
    assert words(own.cards[0].before[0]["parts"]) == "a (b) c" and not own.cards[0].after
    assert said == ["Moment 3 was left out: a lesson cannot hold uploaded data."]


def test_a_lesson_has_no_more_cards_than_it_may():
    many = Board("Many", tuple(Moment(f"data=moons&n=40&T=90&t={t}") for t in range(40)))
    draft, [said] = of_board(many)
    assert len(read(draft, "mine.md").cards) == 30 and "from 31 on" in said


def test_what_is_said_of_the_solver_s_pairs_is_so(player):  # noqa: F811
    cards = [card for card in lessons.lesson("bsgd").cards if card.ask == "pair"]
    for card, best in zip(cards, (True, False), strict=True):
        data = base64.b64encode(run.encode(run.pack_recipe(card.recipe))).decode()
        [asked] = player(data=data, ask=[card.t], kinds=["pair"])["found"]
        cheaper = [
            verdict["answer"] for verdict in asked["verdicts"] if "Cheaper" in verdict["title"]
        ]
        assert bool(cheaper) != best and not any(asked["truth"][0] in pair for pair in cheaper)
        assert ("no other pair at all is cheaper" if best else "there is a cheaper one") in words(
            card.after[0]["parts"]
        )
        i, sign = re.match(r"Point (\d+) \((.)1\) comes in", asked["ask"]).groups()
        assert (card.recipe.union()[0].y[int(i) - 1] > 0) == (sign == "+")


def test_on_the_plane_the_level_is_where_the_lesson_says():
    [card] = [
        card
        for card in lessons.lesson("sbp").cards
        if "dashed lines, +1" in words(card.before[0]["parts"])
    ]
    trace = card.recipe.trace()
    level, y = facts(trace, card.t)["level"], trace.problem.y
    f = trace.f(card.t, trace.problem.X) / level  # what the plane shows, with lines at +1 and −1
    inside = np.where(y > 0, f > 1, f < -1)
    assert level > 0 and np.array_equal(inside, y * trace.f(card.t, trace.problem.X) > level)
    assert (~inside).sum() == facts(trace, card.t)["wet"]


def test_what_show_me_does_is_the_solution():
    cards = [
        card for key in lessons.LESSONS for card in lessons.lesson(key).cards if card.kind == "task"
    ]
    assert cards and all(solved(card)[1] <= card.recipe.steps for card in cards)
