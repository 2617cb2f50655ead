"""Figures of papers' pages as blocks, drawn here without Streamlit, and as the site keeps them."""

from svmviz.ui.papers import blocks as ui
from svmviz.ui.site.elements import Drawing, Site
from svmviz.ui.site.files import Files


def dependent():
    """A figure whose second choice is another one for each value of the first."""
    kind = yield ui.Choice("Kind", ("even", "odd"), "kind")
    numbers = (0, 2) if kind == "even" else (1, 3, 5)
    number, step = yield ui.Row(
        (
            ui.Choice("Number", numbers, f"number.{kind}", default=numbers[-1]),
            lambda number: ui.Slider("Step", 0, number, number, 1, "step"),
        )
    )
    yield ui.Text(f"{kind} {number}, at most {step}")


def drawing() -> Drawing:
    return Drawing(Site(Files(), "", (), (), ()), "sbp")


def test_each_sends_the_value_of_a_control_back():
    drawn = []

    def draw(block):
        drawn.append(block)
        if isinstance(block, ui.Row):
            return ui.in_row(block, lambda k, one: getattr(one, "value", 3))
        return "odd" if isinstance(block, ui.Choice) else None

    ui.each(dependent(), draw)
    assert drawn[-1] == ui.Text("odd 3, at most 3")


def test_site_begins_with_the_defaults_of_all_controls():
    figure = drawing().every_state(dependent).html()
    assert "even 2, at most 2" in figure and 'data-part="0.0"' in figure


def test_site_keeps_every_state_of_choices_that_bring_others():
    made = drawing()
    made.every_state(dependent)
    (group,) = made.groups
    states = [state for state, _ in group.states]
    assert states[0] == {"kind": 0, "number.even": 1}
    assert {"kind": 0, "number.even": 0} in states and len(states) == 5
    assert [state["number.odd"] for state in states if state["kind"] == 1] == [2, 0, 1]
    written = "".join(part.html() for _, parts in group.states for part in parts)
    assert all(f"odd {n}, at most {n}" in written for n in (1, 3, 5))


def test_figure_without_choices_has_no_states():
    made = drawing()
    made.every_state(lambda: iter([ui.Header("A title")]))
    assert made.groups == []


def test_site_names_what_only_the_app_can_do():
    made = drawing().inside([ui.Live(lambda: 1 / 0, "compute it"), ui.Live(lambda: 1 / 0)])
    assert len(made) == 1 and "needs the app" in made[0].html()


def test_table_is_written_by_rows_and_by_columns():
    rows, columns = ui.Table([{"a": 1, "b": "<"}]), ui.Table({"a": [1], "b": ["<"]})
    by_rows, by_columns = (drawing().inside([table])[0].html() for table in (rows, columns))
    assert by_rows == by_columns and "<td>&lt;</td>" in by_rows
