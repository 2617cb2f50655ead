"""What the pages of papers share: their text, and figures beside what they show."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from svmviz.papers.evidence.experiment import Experiment, Results
from svmviz.papers.evidence.verdicts import SIGNS, Found, Verdict, tally
from svmviz.run.recipe import Recipe
from svmviz.ui.controls.charts import chart, theme
from svmviz.ui.papers.evidence import Foot, OnFile, evidence
from svmviz.ui.shell.frame import plain
from svmviz.views.theme import Theme

BAND = "median and band from the 1st to the 9th decile"


def column():
    """What a figure stands in: as wide as the article around it."""
    return st.container()


def beside(claim: str, found: Found, key: str, first: str = "") -> None:
    """What was claimed beside what was measured, then every part of the claim with its verdict."""
    left, right = st.columns(2)
    left.markdown(f"**Published.** {claim}")
    right.markdown(
        f"**Measured.** {first}"
        + (
            "\n- " + "\n- ".join(found.notes)
            if len(found.notes) > 1
            else " ".join(found.notes) or summary(found)
        )
    )
    judgements(found.verdicts, key)


def summary(found: Found) -> str:
    return f"{tally([verdict.outcome for verdict in found.verdicts])}.".capitalize()


def judgements(verdicts: Sequence[Verdict], key: str) -> None:
    """A row for each: published, measured with its interval, the difference and the outcome; on a
    phone below each other.
    """
    if not verdicts:
        return
    with st.container(key=f"{key}.verdicts"):
        st.markdown(
            "\n".join(
                [
                    "| Claim | Published | Measured | Difference | Verdict |",
                    "|" + "---|" * 5,
                    *(
                        "| "
                        + " | ".join(
                            plain(text)
                            for text in (one.claim, one.published, one.measured, one.difference)
                        )
                        + f" | **{SIGNS[one.outcome]} {one.outcome}** |"
                        for one in verdicts
                    ),
                ]
            )
        )
        ways = list(dict.fromkeys(one.how for one in verdicts))
        rule = (
            " A claim holds if the interval in brackets lies where the claim says, fails if it lies"
            " elsewhere, and cannot be told if it holds both answers."
        )
        sides = (
            " Of two sides the middle over the seeds is named; the number behind them is taken seed"
            " by seed, and need not follow from those."
            if any(" against " in one.measured for one in verdicts)
            else ""
        )
        st.caption(
            "How it is decided: "
            + "; ".join(ways)
            + "."
            + rule * any(one.low < one.high for one in verdicts)
            + sides
        )


def links(recipes: Mapping[str, Recipe]) -> None:
    """Runs by name, to be opened on the stage."""
    row = st.container(horizontal=True, vertical_alignment="center")
    row.caption("Open in the Playground:", width="content")
    for name, recipe in recipes.items():
        row.page_link("pages/playground.py", label=name, query_params=recipe.query())


def recipe_figure(
    title: str,
    experiment: Experiment,
    recipes: Mapping[str, Recipe],
    draw: Callable[[Theme, Results], Any],
    *,
    claim: str,
    paper_data: str,
    judge: Callable[[Results], Found] | None = None,
    on_file: OnFile | None = None,
) -> None:
    """A figure of a paper whose runs the Playground can show: what was claimed beside what was
    measured, on which data, and every run one click away from the stage.
    """

    def show(results: Results, behind: Results | None, foot: Foot) -> None:
        chart(draw(theme(), results), experiment.key, behind and draw(theme(), behind))
        foot()
        beside(claim, (judge or experiment.judge)(results), experiment.key)

    with column():
        st.header(title)
        st.caption(f"The paper used {paper_data}; here: {experiment.data}, {BAND}.")
        evidence(experiment, show, on_file=on_file)
        links(recipes)
