"""What a learner may be asked about the step to come. A question is words only: points, truth and
numbers are made by the player from the run (web/questions/), which fills the templates; `right` and
`wrong` are said once it has been answered.
"""

from typing import NamedTuple


class Question(NamedTuple):
    """Of one kind, which says who makes it: a key of `makers` in web/questions/index.js."""

    kind: str
    ask: str
    how: str
    right: str
    wrong: str
    # of the step: at its end all is still as the question found it; none: the answer is what the
    # step does
    beat: str = ""


CHANGES = Question(
    "changes",
    "Will step {step} change w?",
    "It is about point {i} ({label}), which is ringed.",
    "Point {i} has margin {margin:.2f}, and {so}: ‖w‖ is {after:.3f≠before}, and was"
    " {before:.3f≠after}.",
    "Point {i} has margin {margin:.2f}, and {so}: ‖w‖ is {after:.3f≠before}, and was"
    " {before:.3f≠after}.",
)
ANSWER = Question(
    "answer",
    "Point {i} is next. What becomes of its y f(x)?",
    "It is ringed, and its class is {label}.",
    "y f(x) was {old:.3f≠new} before step {step} and is {new:.3f≠old} after it.",
    "y f(x) was {old:.3f≠new} before step {step} and is {new:.3f≠old} after it.",
)
SWING = Question(
    "swing",
    "{who} What does w do?",
    "A point pulls w if its margin y f(x) is below 1.",
    "{so} ‖w‖ was {before:.2f≠after} and is {after:.2f≠before}.",
    "{so} ‖w‖ was {before:.2f≠after} and is {after:.2f≠before}.",
)
PAYS = Question(
    "pays",
    "Which of these points would pull w if they were drawn?",
    "Choose all you think.",
    "Whoever has a margin y f(x) {asked} pulls, on the right side too. {drew}",
    "The side does not decide, the margin y f(x) does: a margin {asked} pulls. {mistaken}{drew}",
    "measure",
)
MISTAKE = Question(
    "mistake",
    "Which of these points would change w if they came next?",
    "Choose all you think.",
    "Only a margin y f(x) of at most 0 is a mistake, and only mistakes change w. {drew}",
    "Only a margin y f(x) of at most 0 is a mistake: close to the line is not yet wrong."
    " {mistaken}{drew}",
    "measure",
)
LINE = Question(
    "line",
    "{who} Where will f = 0 be after step {step}?",
    "Drag the dotted line there. Close is within {degrees:g}° and {share:g} % of the picture.",
    "{so} The line turned by {turned:.1f}°. {told}",
    "{so} The line turned by {turned:.1f}°. {told}",
)
ALPHA = Question(
    "alpha",
    "Point {i} is next, with α = {old:.3g}. What becomes of its α?",
    "It is ringed, its class is {label}. {aim}",
    "Its margin was {margin:.2f}: {so}. α was {old:.3g≠new} and is {new:.3g≠old}{box}.",
    "Its margin was {margin:.2f}: {so}. α was {old:.3g≠new} and is {new:.3g≠old}{box}.",
)
GAP = Question(
    "gap",
    "Does the duality gap rise or fall in step {step}?",
    "The gap is {old:.3g} now. {arrives}",
    "The gap was {old:.3g≠new} and is {new:.3g≠old}. {because}",
    "The gap was {old:.3g≠new} and is {new:.3g≠old}. {because}",
)
PULL = Question(
    "pull",
    "Point {i} is next. What becomes of f there?",
    "It is ringed, and its target is {target:.3g}.",
    "f was {old:.3f≠new} before step {step} and is {new:.3f≠old} after it. {because}",
    "f was {old:.3f≠new} before step {step} and is {new:.3f≠old} after it. {because}",
)
TUBE = Question(
    "tube",
    "Which of these points would pull f if they were drawn?",
    "Choose all you think.",
    "Whoever lies outside the tube pulls, f too high or too low: |f(x) − y| > ε. {drew}",
    "Only outside the tube does a point pull: |f(x) − y| > ε = {epsilon:.3g}. {mistaken}{drew}",
    "measure",
)

GENERAL = CHANGES, ANSWER  # of a solver that declares none
