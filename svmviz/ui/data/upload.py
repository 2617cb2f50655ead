"""A visitor's own file: read, look, choose, play. It lives in the session and nowhere else."""

import hashlib
from collections import deque
from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from svmviz.data import uploads
from svmviz.data.plane import Dataset
from svmviz.data.problem import private
from svmviz.data.sizes import refuse_large
from svmviz.run.recipe import Recipe
from svmviz.run.streams.streamed import Streamed
from svmviz.run.visit.events import Files, Take
from svmviz.run.visit.switching import able
from svmviz.solvers import SOLVERS
from svmviz.ui.controls.charts import centred
from svmviz.ui.controls.widgets import TREATMENTS, widget
from svmviz.ui.jobs.background import TICK, begin, end, listen, visitor, waited
from svmviz.ui.jobs.scope import PRIVATE
from svmviz.ui.shell.frame import plain
from svmviz.ui.stream.page import adopt as adopt_stream
from svmviz.ui.visit.session import happened, visit
from svmviz.ui.visit.shelf import forget, keep
from svmviz.work.hands import tell
from svmviz.work.words import count

KEPT = 5  # files a visitor may keep at a time
PREVIEW = 8


def upload() -> None:
    """The section of the Data page."""
    limits = uploads.LIMITS
    with centred():
        st.header("Your own file")
        file = st.file_uploader(
            "CSV, TSV or LIBSVM text, plain or packed with gz, bz2 or xz", key="upload.file"
        )
        st.caption(
            f"Up to {limits.packed / 2**20:.0f} MB, {count(limits.rows)} rows and"
            f" {count(limits.columns)} columns, or {count(limits.sparse_columns)} of LIBSVM text."
            " The Playground takes a sample of the rows, each class with its share; a stream takes"
            " all of them. The file stays with this tab, also when you load it anew, is never"
            " written to disk and is gone a quarter of an hour after you close the page."
        )
        if file is None:
            _forget()
            _again()
            return
        data = file.getvalue()
        try:
            digest = hashlib.sha256(data).hexdigest()
            header = _header(digest)
            place = (
                st.empty()
            )  # always, so that what follows stays what it is when nothing is to be read
            table = PRIVATE.store("tables").find(
                (digest, header), lambda: _read(place, digest, data, file.name, header)
            )
            chosen = _choices(table, f"upload.{digest[:12]}.{header}")
            built = PRIVATE.store("problems").find(
                f"{digest} {chosen}", lambda: _maker(chosen)(table, **chosen)
            )
        except ValueError as error:
            st.error(plain(f"{error}."))
            st.caption("The run in the Playground is as it was.")
            return
        _say_advice(built, f"upload.{digest[:12]}.{header}")
        st.dataframe(
            pd.DataFrame(built.report, columns=["what", "was found and done"]),
            hide_index=True,
            width="stretch",
        )
        too_large = _too_large(built.problem)
        if too_large:
            st.warning(plain(f"Too much for the Playground: {too_large}. A stream takes all rows."))
        row = st.container(horizontal=True)
        if row.button("Open in the Playground", key="upload.open", disabled=bool(too_large)):
            _open(digest, file.name, header, chosen, built)
        if not built.problem.real and row.button(
            "Stream all rows",
            key="upload.stream",
            help="Budgeted SGD over the whole file, not a sample of it.",
        ):
            _stream(digest, file.name, chosen, uploads.build(table, **chosen | {"cap": None}))


def _maker(chosen: dict):
    """What makes a problem of these choices: where none of them is about classes, numbers are
    fitted.
    """
    return uploads.build if "several" in chosen else uploads.build_regression


def _reading(data: bytes, name: str, header: bool | None) -> uploads.Table:
    """The table in a file; says meanwhile what it does, and how far that is."""
    return uploads.read(data, name, header=header, progress=lambda *doing: tell(doing))


def _read(place, digest: str, data: bytes, name: str, header: bool | None) -> uploads.Table:
    """The table in the file, read by a job of this visitor's alone; a bar in its place says how far
    that is.
    """
    far = deque([("Reading", 0.0)], maxlen=1)
    job = begin(
        "read",
        ("read", digest, header, visitor()),
        partial(_reading, data, name, header),
        told=far.append,
    )
    while not job.ended.wait(TICK):
        listen()
        doing, share = far[-1]
        place.progress(share, f"{doing} …")
    place.empty()
    table = waited(job)
    end("read")  # the session has the table
    return table


def _forget() -> None:
    """A table may take as much memory as a hundred runs, so it goes as soon as nobody looks at
    it.
    """
    end("read")
    for name in ("tables", "problems"):
        PRIVATE.store(name).clear()


def _header(digest: str) -> bool | None:
    """Whether the first row holds names: as it seems, unless the visitor knows better."""
    said = {"as it seems": None, "names": True, "data": False}
    return said[
        st.segmented_control(
            "first row",
            list(said),
            default="as it seems",
            required=True,
            key=f"upload.{digest[:12]}.header",
        )
    ]


def _say_advice(built, group: str) -> None:
    """What was done unasked, each with the click that undoes it."""
    state = st.session_state
    for kind, columns in built.skipped.items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(
                plain(f"Left out, for they are {kind}: {uploads.listed(columns, uploads.quote)}."),
                width="content",
            )
            st.button(
                "Keep them",
                key=f"{group}.keep.{kind}",
                on_click=state.__setitem__,
                args=(f"{group}.all", True),
            )
    why = dict(built.report).get("Scales")
    if why:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(why), width="content")
            st.button(
                "Use the numbers as they are",
                key=f"{group}.raw",
                on_click=state.__setitem__,
                args=(f"{group}.scaling", "none"),
            )


def _choices(table, group: str) -> dict:
    if table.kind == "csv":
        st.dataframe(
            pd.DataFrame({name: table.columns[name][:PREVIEW] for name in table.names[:40]}),
            hide_index=True,
        )
    first, second, third = st.columns(3)
    guess = uploads.guess_label(table)
    label = first.selectbox(
        "label column",
        table.names if table.kind == "csv" else table.names[:1],
        table.names.index(guess),
        format_func=uploads.clean,
        key=f"{group}.label",
    )
    about = _target(table, label, second, group)
    features = None
    if table.kind == "csv" and len(table.names) <= 200:
        others = [name for name in table.names if name != label]
        picked = st.multiselect(
            "features (all numeric columns, if none is picked)",
            others,
            format_func=uploads.clean,
            key=f"{group}.features.{label}",
        )
        features = picked or None
    skip = () if st.session_state.get(f"{group}.all") else None
    scaling = third.selectbox(
        "scaling",
        [None, *uploads.SCALING.options],
        key=f"{group}.scaling",
        help=uploads.SCALING.help,
        format_func=lambda name: name or "as advised",
    )
    values = {}
    for param, place in zip(
        (uploads.CAP, uploads.TEST_SHARE, uploads.SEED), st.columns(3), strict=True
    ):
        with place:
            values[param.name] = widget(param, param.default, "upload")
    several = {"several": about["positive"] is None} if about else {}
    return {
        "label": label,
        **about,
        "features": features,
        **several,
        "skip": skip,
        "scaling": scaling,
        **values,
    }


def _target(table, label: str, place, group: str) -> dict:
    """Which class is +1, or all told apart; nothing where the column holds numbers that are to be
    fitted.
    """
    counts = uploads.class_counts(table, label)
    classes = list(counts)
    if uploads.can_be_fitted(table, label):
        kinds = [
            "numbers, to be fitted",
            *(["classes"] if len(classes) <= uploads.LIMITS.labels else []),
        ]
        if place.selectbox("it holds", kinds, key=f"{group}.kind.{label}") == kinds[0]:
            return {}
    together = (
        [None] if 2 < len(classes) <= uploads.MOST else []
    )  # no class is +1: all of them are told apart
    first, why = first_class(counts)
    positive = place.selectbox(
        "class +1, against the rest",
        [*classes, *together],
        classes.index(first),
        key=f"{group}.positive.{label}",
        format_func=lambda name: (
            "all classes, told apart"
            if name is None
            else f"{uploads.clean(name)} ({counts[name]} rows)"
        ),
    )
    if why:
        place.caption(why)
    return {"positive": positive}


def first_class(counts: Mapping[str, int]) -> tuple[str, str]:
    """The class that is +1 until the visitor says another, and why all of them cannot be told
    apart, if so: of two the one that sorts last, as of 0 and 1; of very many the one with the most
    rows.

    >>> first_class({"no": 3, "yes": 2})
    ('yes', '')
    """
    if len(counts) <= uploads.MOST:
        return list(counts)[-1], ""
    why = (
        f"{len(counts)} classes, and at most {uploads.MOST} can be told apart: one is set against"
        " the rest, at first the one with the most rows."
    )
    return max(counts, key=counts.__getitem__), why


def _too_large(problem) -> str:
    """Why the Playground cannot show it, if it cannot."""
    try:
        refuse_large(problem.X)
    except ValueError as error:
        return str(error)
    return ""


def _stream(digest: str, name: str, chosen: dict, built) -> None:
    """The whole file, the latest only: it may take as much memory as a hundred runs."""
    key = "whole:" + hashlib.sha256(f"{digest} {chosen}".encode()).hexdigest()[:12]
    whole = private(built.problem)
    own = Dataset(
        key, f"{uploads.clean(name)}, all rows", lambda: whole, (), "Your file.", test=built.test
    )
    happened(Files(visit().own, {key: own}))
    adopt_stream(Streamed.of(key, {key: own}))
    keep()
    _forget()
    st.switch_page("pages/stream.py")


def _open(digest: str, name: str, header: bool | None, chosen: dict, built) -> None:
    """Play it, from where it has seen every row once; the script names what was advised, as if it
    had been chosen.
    """
    skipped = tuple(name for columns in built.skipped.values() for name in columns)
    chosen = chosen | {"skip": skipped, "scaling": built.scaling}
    given = ", ".join(f"{key}={value!r}" for key, value in chosen.items())
    make = _maker(chosen).__name__
    code = (
        f"svmviz.uploads.{make}(svmviz.uploads.read(open({name!r}, 'rb').read(), header={header}),"
        f" {given}).problem"
    )
    code = code.replace(
        "{step}", r"{\x73tep}"
    )  # the player fills in {step}, but not inside the visitor's words
    key = "upload:" + hashlib.sha256(f"{digest} {given}".encode()).hexdigest()[:12]
    treatment = TREATMENTS[chosen["scaling"]]
    several, target = built.problem.classes > 2, uploads.clean(chosen["label"])
    about = (
        "Your file, all classes told apart."
        if several
        else "Your file, one class against the rest."
    )
    about = (
        f"Your file, with {target} as the target, {built.units}." if built.problem.real else about
    )
    problem = private(built.problem)
    own = Dataset(
        key,
        uploads.clean(name),
        lambda: problem,
        (),
        about,
        tuple(map(uploads.clean, built.names)),
        None,
        f"from your file, {treatment}",
        code,
        built.test,
        built.classes,
    )
    now = visit()
    happened(Files(dict([*now.own.items(), (key, own)][-KEPT:]), now.whole))
    keep()
    _forget()
    _play(own)


def _play(own: Dataset) -> None:
    """The visitor's solver on this file, or where that cannot tell its classes apart, or fit its
    targets, one that can.
    """
    before, problem = visit().recipe or Recipe(), own.problem()
    if SOLVERS[before.solver].refusal(problem):
        before = Recipe(solver=next(iter(able(own.key, problem))))
    params = {
        name: min(value, problem.n) if name == "k" else value
        for name, value in before.checked().current.items()
    }
    happened(Take(*Recipe(own.key, {}, before.solver, params, own=own).checked().after_one_pass()))
    st.switch_page("pages/playground.py")


def _again() -> None:
    """Files that this tab has already brought."""
    own, whole = visit().own, visit().whole
    if not (own or whole):
        return
    st.caption(
        "Files of this tab, to be opened again:" if own else "This tab has a file for the Stream."
    )
    with st.container(horizontal=True):
        for key, item in reversed(own.items()):
            if st.button(plain(item.title), key=f"again.{key}"):
                _play(item)
        st.button(
            "Forget them" if len({**own, **whole}) > 1 else "Forget it",
            key="upload.forget",
            type="tertiary",
            on_click=forget,
            help="The server keeps nothing of your files, nor of what was computed from them.",
        )
