"""The live values in the sentences of budgeted SGD."""

from svmviz.maths.losses import HINGE, LOGISTIC, slope
from svmviz.solvers.bsgd.listing import leans, radius, solves, weighs
from svmviz.solvers.bsgd.maintenance import strategies
from svmviz.solvers.bsgd.maintenance.prices import prices
from svmviz.solvers.bsgd.story import WHY_P
from svmviz.work.words import fill, times


def name_of(trace, row: int) -> str:
    """What a row of the table is called in a sentence."""
    n = trace.problem.n
    return "nothing" if row < 0 else f"point {row + 1}" if row < n else f"vector {row - n + 1}"


def label_of(trace, i: int) -> str:
    return class_of(trace, trace.problem.y[i])


def class_of(trace, y) -> str:
    return f"class {int(y)}" if trace.problem.classes > 2 else "+1" if y > 0 else "−1"


def judged(params, loss) -> dict[str, str]:
    """What is said beside a margin: what it is called, what it lacks, and below or above what it
    is.
    """
    asked = params["beta"] if params["rule"] == "margin Perceptron" else 1.0
    if params["rule"] == "implicit":  # what is asked for depends on the step
        return {
            "score": "f[y] − f[r]" if params["multiclass"] else "y f",
            "lack": ", below 1 + ηλ",
            "below": " < 1 + ηλ",
            "above": " ≥ 1 + ηλ",
            "enough": "at least 1 + ηλ: it costs nothing",
            "factor": "1/(1 + ηλ)",
            "where": "Too close",
        }
    below, above = (" ≤ 0", " > 0") if asked == 0 else (f" < {asked:g}", f" ≥ {asked:g}")
    if loss.kind != HINGE:
        below = ""
    never = loss.kind == LOGISTIC  # without a slope
    return {
        "score": "f[y] − f[r]" if params["multiclass"] else "y f",
        "factor": "(1 − ηλ)",
        "where": "Too close" if asked else "Wrong side",
        "lack": "" if not below else f", below {asked:g}" if asked else ", not above 0",
        "below": below,
        "above": ", −ℓ′(y f) ≈ 0" if never else above,
        "enough": (
            "so large that it is worth no vector"
            if never
            else (
                f"at least {asked:g}: it costs nothing"
                if asked
                else (
                    "above 0, and no step within the margin is worth it"
                    if leans(params)
                    else "above 0: it costs nothing"
                )
            )
        ),
    }


def arrived(params, t: int, y: float, fall: float, tau: float) -> dict[str, str | float]:
    """With which weight an example comes in where the loss `fall`s so steeply, or tau was solved
    for: in words, and as a formula.
    """
    eta = {"Pegasos": 1.0 / (params["lam"] * t), "margin Perceptron": params["eta"]}.get(
        params["rule"], params["eta"] / t**0.5
    )
    part, first = (
        1.0 if params["multiclass"] else fall * y,
        (1.0 if params["rule"] == "Pegasos" else params["eta"]),
    )
    if solves(params):
        return {
            "eta": eta,
            "weight": fill("{tau:.3g}", {"tau": tau}),
            "come": fill("{new:.3g}", {"new": part * tau}),
        }
    told = {
        "t": t,
        "lam": params["lam"],
        "step": fall * eta,
        "top": part * first,
        "new": part * eta,
    }
    formula = (
        "η (e[y] − e[r]), η = "
        if params["multiclass"]
        else "−η ℓ′ y = "
        if weighs(params)
        else "η y = "
    )
    reckoned = {"Pegasos": "{top:.3g}/({lam:.3g} · {t}) = ", "Norma": "{top:.3g}/√{t} = "}.get(
        params["rule"], ""
    )
    return {
        "eta": eta,
        "weight": fill(times(fall) + "η = {step:.3g}", told),
        "come": fill(formula + reckoned + "{new:.3g}", told),
    }


def weighed(trace, t: int, kind: int, lost: float) -> dict[str, str]:
    """What the maintenance of step t would have cost otherwise, and the terms of what it did
    cost.
    """
    found, merged = prices(trace, t), kind == strategies.MERGED_TWO
    by_loss = trace.params(t)["maintenance"] not in WHY_P  # else costs have no say in who goes
    if found is None:
        return {"instead": "", "heir": "", "product": ""}
    told = (
        found._asdict()
        | dict(zip(("a_m", "a_n", "a_z"), found.sizes, strict=False))
        | dict(zip("pq", found.shares, strict=False))
    )
    told["rest"] = (
        lost / max(told["a_m"] ** 2, 1e-300) if kind == strategies.PROJECTED else found.own
    )
    instead = {
        strategies.MERGED_TWO: (
            "; removal would cost {removal:.3g}"
            if found.second is None
            else "; the next partner would cost {second:.3g}, removal {removal:.3g}"
        ),
        strategies.REMOVED: "; the lightest other would cost {second:.3g}" if by_loss else "",
        strategies.PROJECTED: "; removal would cost {removal:.3g}",
    }.get(kind, "")
    heir = (
        "α[z] = {p:.3f} α[m] + {q:.3f} α[n], "
        if trace.scores > 1
        else ("|α[z]| = {p:.3f} · {a_m:.3g} + {q:.3f} · {a_n:.3g} = {a_z:.3g}, ")
    )
    return {
        "instead": fill(instead, told),
        "heir": fill(heir, told) if merged else "",
        "product": "" if merged else fill(" = {a_m:.3g}² · {rest:.3g}", told),
    }


def spot(trace, own) -> str:
    """Where z lies, if that is in the place of one of the two."""
    heir = own["n"] if own["h"] == 0.0 else own["m"] if own["h"] == 1.0 else -1
    return f" where {name_of(trace, int(heir))} is" if heir >= 0 else ""


def values(trace, t) -> dict:
    """The live quantities of step t; those of the maintenance speak of its last event."""
    if t == 0:
        return {"t": 0}
    segment = trace.segment(t)
    record, s, params = segment.record, t - segment.start - 1, segment.params
    own = {name: float(column[s]) for name, column in record.own.items()}
    i, margin, loss = int(record.drawn[s, 0]), float(record.margin[s, 0]), trace.solver.loss(params)
    b, rival = int(own["n_sv"]), class_of(trace, own["rival"]) if params["multiclass"] else ""
    fall = -slope(loss, margin) if loss.kind != HINGE else 1.0
    return (
        own
        | judged(params, loss)
        | arrived(params, t, float(trace.problem.y[i]), fall, own["tau"])
        | weighed(trace, t, int(own["event"]), own["degradation"])
        | {
            "t": t,
            "i": i + 1,
            "label": label_of(trace, i),
            "margin": margin,
            "b": b,
            "over": f" over {rival}" if rival else "",
            "shrink": float(record.factor[s]) / (own["pull"] * own["phi"]),
            "U": radius(params),
            "long": radius(params) / own["pull"],
            "hits": int(own["added"]),
            "grown": int(trace.metrics["n_sv"][t - 1] + own["added"]),
            "others": b,
            "norm": float(trace.metrics["norm"][t]),
            **{f"name_{which}": name_of(trace, int(own[which])) for which in "mnz"},
            "spot": spot(trace, own) if own["event"] == strategies.MERGED_TWO else "",
        }
    )
