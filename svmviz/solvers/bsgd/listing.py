"""The pseudo-code of budgeted SGD: Algorithm 1 with the rule and the maintenance that the
parameters select.
"""

from svmviz.maths.losses import HINGE, bounded, loss_of
from svmviz.record.sentences import Line, Lines


def forgets(params) -> bool:
    """Only the Perceptron that removes the oldest vector forgets; elsewhere the switch does
    nothing.
    """
    return (
        params["forget"]
        and params["rule"] == "margin Perceptron"
        and params["maintenance"] == "remove oldest"
    )


def any_two(params) -> bool:
    """Whether all pairs may merge, not only those of the smallest vector."""
    return params["maintenance"] == "merge" and params["pairs"] == "all"


def radius(params) -> float:
    """Of the ball that w is kept in, 0: of none. Slopes without a bound need one, see
    `losses.bounded`.
    """
    if params["rule"] == "margin Perceptron":
        return params["U"]
    return params["lam"] ** -0.5 if weighs(params) and not bounded(params) else 0.0


def shrinks(params) -> bool:
    """Whether the rule knows λ."""
    return params["rule"] in ("Pegasos", "Norma", "implicit")


def solves(params) -> bool:
    """Whether the rule solves for how much of an example it adds."""
    return params["rule"] in STEPS


def leans(params) -> bool:
    """Projectron++: whether it learns within the margin, too; elsewhere the switch does nothing."""
    return (
        params["small_steps"]
        and params["rule"] == "margin Perceptron"
        and params["maintenance"] == "project newcomer"
    )


def weighs(params) -> bool:
    """Whether an example is added with the slope of its loss, which the hinge has not in
    degrees.
    """
    return not (
        params["rule"] not in ("Pegasos", "Norma")
        or params["multiclass"]
        or loss_of(params).kind == HINGE
    )


REMOVALS = {
    "smallest": "argmin |α[j]|² K[j, j]",
    "oldest": "the oldest",
    "random": "any of the old",
    "easiest": "argmax y[j] f∖j(x[j])",
    "by errors": "argmin mistakes of f∖j",
    "by counts": "argmin counted mistakes",
}
PROJECTIONS = {  # who goes, and to whom
    "smallest": ("argmin |α[j]|² K[j, j]", "Δα ← α[p] K⁻¹ K[·, p]", "to {others} vectors"),
    "best": ("argmin |α[j]|²/Q[j, j]", "Δα ← α[p] K⁻¹ K[·, p]", "to {others} vectors"),
    "best old": ("argmin old |α[j]|²/Q[j, j]", "Δα ← α[p] K⁻¹ K[·, p]", "to {others} vectors"),
    "on newcomer": ("argmin ‖Δ‖² on x[t]", "Δα[t] ← α[p] K[p, t]/K[t, t]", "to point {i}"),
    "on neighbour": (
        "argmin ‖Δ‖² on two",
        "Δα ← α[p] K⁻¹ K[·, p] on both",
        "to {name_n}, point {i}",
    ),
}
STEPS = {
    "passive-aggressive": (
        "1",
        "min(C, ℓ/{}K[t, t]) {}",
    ),  # of rules that solve for it: what is asked, and what comes in
    "implicit": ("1 + ηλ", "min(η, ℓ/{}K[t, t]) {}/(1 + ηλ)"),
}


def lines(params) -> Lines:
    """Return Algorithm 1 with the maintenance and the rule that the parameters select."""
    many, kind, perceptron = (
        params["multiclass"],
        params["maintenance"],
        params["rule"] == "margin Perceptron",
    )
    rates = {"Pegasos": "1/(λt)", "Norma": "η₀/√t", "implicit": "η₀/√t"}
    asked, comes = STEPS.get(params["rule"], ("", ""))
    margin = (
        ("margin ← f[y](x) − max f[r](x)" if many else "f ← Σ α[j] K(x[j], x[t])")
        if not asked
        else (
            f"ℓ ← {asked} − (f[y](x) − max f[r](x))"
            if many
            else f"ℓ ← {asked} − y[t] Σ α[j] K[j, t]"
        )
    )
    lead = "margin = {margin:.2f}" if many else "y f = {margin:.2f}"
    out = {
        "draw": Line("receive (x[t], y[t])", "i = {i}", "draw"),
        "measure": Line(margin, lead, "measure"),
    }
    if params["rule"] in rates:
        factor, shrunk = (
            ("1/(1 + ηλ)", "α/(1 + ηλ)")
            if params["rule"] == "implicit"
            else ("1 − ηλ", "(1 − ηλ) α")
        )
        text = f"α ← {shrunk},  η = {rates[params['rule']]}"
        out["shrink"] = Line(text, factor + " = {shrink:.3f}", "shrink")
    asked = f"{params['beta']:g}" if perceptron else "1"
    add = "α[t] ← η (e[y] − e[r])" if many else "α[t] ← η y[t]"
    below = f"{'≤' if asked == '0' else '<'} {asked}"
    add = (
        "α[t] ← −η ℓ′(y f) y[t]"
        if weighs(params)
        else f"if {'margin' if many else 'y f'} {below}: {add}"
    )
    if comes:
        comes = comes.format("2" * many, "(e[y] − e[r])" if many else "y[t]")
        add = f"if ℓ > 0: α[t] ← {comes}"
    size = "|α| = {tau:.3g}" if comes else "η = {eta:.3g}"
    out["add"] = Line(add, size + ", vectors = {grown}", "add")
    if kind.startswith("remove"):
        shrunk = "α ← φ α, " if forgets(params) else ""
        out |= {
            "choose": Line(f"if vectors > B: p ← {REMOVALS[kind[7:]]}", "p = {name_m}", "choose"),
            "take": Line(f"{shrunk}drop α[p]", "‖Δ‖² = {degradation:.3g}", "take"),
        }
    elif kind == "project newcomer":
        out |= {
            "choose": Line("δ ← ‖K(x[t], ·) − span‖", "δ = {by:.3g}", "choose"),
            "look": Line("if δ ≤ ε or full: Δα ← α[t] K⁻¹ K[·, t]", "to {others} vectors", "look"),
            "take": Line("α ← α + Δα, drop α[t]", "‖Δ‖² = {degradation:.3g}", "take"),
        }
        if leans(params):
            text = f"else if 1 − {'margin' if many else 'y f'} > δ/ε: α ← α + τ Δα"
            out["lean"] = Line(text, "τ = {tau:.3g}", "take")
    elif kind.startswith("project"):
        which, spread, whom = PROJECTIONS[kind[8:]]
        out |= {
            "choose": Line(f"if vectors > B: p ← {which}", "p = {name_m}", "choose"),
            "look": Line(spread, whom, "look"),
            "take": Line("α ← α + Δα, drop α[p]", "‖Δ‖² = {degradation:.3g}", "take"),
        }
    elif kind == "merge":
        found = "n = {name_n}, h = {h:.3f}"
        two = (
            ("if vectors > B: weigh all pairs", "{grown} vectors"),
            (
                "m, n, h ← argmin ‖Δ‖² over all pairs",
                found,
            ),
        )
        one = (
            ("if vectors > B: m ← argmin |α[j]|²", "m = {name_m}"),
            (
                "n, h ← argmin ‖Δ‖² over partners",
                found,
            ),
        )
        chosen, looked = two if any_two(params) else one
        out |= {
            "choose": Line(*chosen, "choose"),
            "look": Line(*looked, "look"),
            "take": Line("z ← h x[m] + (1 − h) x[n]", "‖Δ‖² = {degradation:.3g}", "take"),
        }
    if radius(params):
        out["pull"] = Line("α ← min(1, U/‖w‖) α", "‖w‖ = {norm:.2f}", "project")
    return Lines(**out)
