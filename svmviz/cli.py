"""The command line: `svmviz app` opens the app, `svmviz trace` prints or saves a run, `svmviz page`
writes one as a page that plays by itself, `svmviz slides` makes slides of a storyboard, `svmviz
site` writes a whole site that needs no server, `svmviz sweep` tries hyperparameters out, `svmviz
papers` records what the pages of the papers show, `svmviz bench` measures, `svmviz new` begins a
solver.

A run is named as a link of the app names it, or by its parts:

    svmviz trace "http://localhost:8501/?data=moons&solver=sbp&T=500" --out run.csv
    svmviz trace data=moons solver=sbp T=500 nu=0.1
    svmviz page "https://svm.example/race?data=moons" -o race.html

A sweep is named by a file (`svmviz/explore/specfile.py` says what stands in it); `svmviz cluster`
starts workers:

    svmviz sweep spec.toml --out results.parquet
    svmviz sweep spec.toml --out results.parquet --dask tcp://127.0.0.1:8786

What a page of a paper shows is named by paper, figure and data:

    svmviz papers record --only sbp.figure2 --seeds 10
    svmviz papers record --only sbp.figure2 --dask tcp://127.0.0.1:8786
"""

import argparse
import importlib.util
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing, nullcontext
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np

from svmviz.record import metrics
from svmviz.run import saved
from svmviz.run.link import VIEW_KEYS
from svmviz.run.recipe import from_query
from svmviz.work.words import whole

PACKAGE = Path(__file__).parent
BESIDE = PACKAGE.parent  # a checkout
SCHEDULER = "of a Dask scheduler, such as tcp://127.0.0.1:8786"


def query(parts: Sequence[str]) -> dict[str, str]:
    """A link, or its parts one by one.

    >>> query(["http://localhost:8501/?data=moons&T=50", "lam=0.1"])
    {'data': 'moons', 'T': '50', 'lam': '0.1'}
    """
    found = {}
    for part in parts:
        found |= parse_qsl(urlsplit(part).query or part, keep_blank_values=True, separator="&")
    return found


def trace(given: argparse.Namespace) -> None:
    """Carry a run out; as a table unless a file ends in .npz, which gets every metric as an
    array.
    """
    recipe, messages = from_query(query(given.run), VIEW_KEYS)
    if messages:
        raise ValueError(" ".join(messages))
    found = recipe.trace()
    if given.out and given.out.suffix == ".npz":
        np.savez_compressed(given.out, drawn=found.drawn, **found.metrics)
    elif given.out:
        given.out.write_text(metrics.to_csv(found), encoding="utf-8")
    else:
        sys.stdout.write(metrics.to_csv(found))


def page(given: argparse.Namespace) -> None:
    """Write what a link shows (a run, a fork, a race, a lesson) as one HTML file that plays in any
    browser, with no network and no server. What it cannot do leads to the app that the link names.
    """
    from svmviz.player.files import link  # all of the player

    text = link.of_link("&".join(given.link))
    given.out.write_text(text, encoding="utf-8")
    print(f"{given.out}: {len(text.encode()) / 1000:.0f} kB")


def slides(given: argparse.Namespace) -> None:
    """Make a storyboard slides, a folder or a .zip file with a reveal.js deck and the players
    inside; or one page, .html; or the draft of a lesson, .md. A storyboard is a text file that the
    app saves, or the link that it gives; moments that cannot be shown are named, and the others are
    there.
    """
    from svmviz.player.files import write

    for line in write.write(given.board, given.out):
        print(line)


def sweep(given: argparse.Namespace) -> None:
    """Carry out the sweep that a file describes. Rows are kept as they come: a second start does
    only what is missing.
    """
    from svmviz.explore import command  # scikit-learn's searches take a second

    command.carry_out(given.spec, given.out, given.dask, given.workers, given.known)


def cluster(given: argparse.Namespace) -> None:
    """Start a Dask scheduler and workers on this machine, print the address for `--dask`, and
    stay.
    """
    from svmviz.explore import command

    command.cluster(given.workers)


def with_streamlit(what: str) -> None:
    if importlib.util.find_spec("streamlit") is None:
        raise ValueError(f"{what} needs Streamlit: pip install 'svmviz[app]'")


def app(given: argparse.Namespace) -> int:
    """Serve the app, with any options of Streamlit's; --run shows a run that was saved, under the
    link that is printed.
    """
    with_streamlit("the app")
    script = next(path for path in (BESIDE / "app.py", PACKAGE / "app" / "app.py") if path.exists())
    environment = dict(os.environ)
    if given.run:
        _, found = saved.load(given.run)
        environment[saved.ENVIRONMENT] = str(given.run.absolute())
        port = dict(zip(given.options, given.options[1:], strict=False)).get(
            "--server.port", "8501"
        )
        print(f"The run is at http://localhost:{port}/?{urlencode(found)}", flush=True)
    return subprocess.run(
        [sys.executable, "-m", "streamlit", "run", str(script), *given.options], env=environment
    ).returncode


def compile_all() -> None:
    """In a process of its own: what one has compiled itself was measured to be two to seven times
    slower than what it loads.
    """
    with_streamlit("recording")
    subprocess.run([sys.executable, "-m", "svmviz.player.ready.compiling"], check=True)


def papers(given: argparse.Namespace) -> None:
    """Compute figures and tables of the papers, and record them with what they were computed on.
    All of them take about a quarter of an hour; data that cannot be generated are looked for in the
    folder that SVMVIZ_DATA names. On a Dask cluster every worker looks for them where it runs, and
    the numbers are the same; what is timed is computed here all the same.
    """
    from svmviz.papers import catalogue, listing  # SciPy's statistics take a second
    from svmviz.papers.evidence import recording
    from svmviz.work.cluster import Dask

    if given.size and not given.out:
        raise ValueError("--size needs --out, as the pages show the usual sizes")
    folder = given.out or recording.FOLDER
    wanted = [one.of_size(given.size) for one in catalogue.chosen(given.only)]
    with closing(Dask(given.dask, catalogue.ready)) if given.dask else nullcontext() as backend:
        compile_all()
        catalogue.record_all(
            wanted,
            folder,
            given.seeds,
            backend,
            lambda line: print(line, flush=True),
            given.missing,
        )
    if folder == recording.FOLDER:
        listing.PAGE.write_text(listing.page(), encoding="utf-8")


def site(given: argparse.Namespace) -> None:
    """Write lessons, the pages of the papers and a gallery of runs as files that any file server
    shows, without Python. It takes a few minutes, as every figure is drawn in all states that can
    be chosen.
    """
    with_streamlit("making a site")
    if given.home and urlsplit(given.home).scheme not in ("http", "https"):
        raise ValueError(
            f"--home is the address of an app, such as https://svm.example.org, got {given.home!r}"
        )
    from svmviz.ui import site as pages

    begun = time.monotonic()
    try:
        pages.fits(given.out, given.force)
        files = pages.build(
            given.home, lambda line: print(f"{time.monotonic() - begun:5.0f} s  {line}", flush=True)
        )
        pages.write(files, given.out)
    except OSError as error:
        raise ValueError(error) from error
    size = sum(map(len, files.values())) / 1e6
    print(
        f"{len(files)} files, {size:.1f} MB, in {time.monotonic() - begun:.0f} s; to look at them: "
        f"python -m http.server -d {given.out}"
    )


def bench(given: argparse.Namespace) -> int:
    """Run a benchmark of the checkout, or name them all."""
    known = {
        path.stem: ".".join(path.relative_to(BESIDE).with_suffix("").parts)
        for path in sorted((BESIDE / "benchmarks").rglob("*.py"))
        if "__main__" in path.read_text(encoding="utf-8")
    }
    if not known:
        raise ValueError(
            "benchmarks are not part of an installation; run them in a checkout of svmviz"
        )
    if given.name not in known:
        raise ValueError(f"name one of {', '.join(sorted(known))}")
    return subprocess.run(
        [sys.executable, "-m", known[given.name], *given.options], cwd=BESIDE
    ).returncode


def new(given: argparse.Namespace) -> None:
    """Begin a solver: write its file and its test, and name it in the registry. What is written
    runs, and its test passes; change it into the algorithm of the paper.
    """
    key, registry = given.key, PACKAGE / "solvers" / "__init__.py"
    files = {
        PACKAGE / "solvers" / f"{key}.py": "solver.txt",
        BESIDE / "tests" / "solvers" / f"test_{key}.py": "test.txt",
    }
    if not (key.isidentifier() and key.islower()):
        raise ValueError(f"a key is a lower-case name such as norma, got {key!r}")
    if taken := [str(path) for path in (*files, PACKAGE / "solvers" / key) if path.exists()]:
        raise ValueError(f"{taken[0]} exists")
    if not (BESIDE / "tests").is_dir():
        raise ValueError("solvers are written in a checkout of svmviz, not in an installation")
    names = {"{key}": key, "{KEY}": key.upper(), "{title}": given.title or key.title()}
    for path, template in files.items():
        text = (PACKAGE / "text" / "new" / template).read_text(encoding="utf-8")
        for name, word in names.items():
            text = text.replace(name, word)
        path.write_text(text, encoding="utf-8")
        print(path)
    head, imports, rest = re.split(
        r"((?:^from svmviz\.solvers\..*\n)+)", registry.read_text(encoding="utf-8"), flags=re.M
    )
    ordered = sorted([*imports.splitlines(), f"from svmviz.solvers.{key} import {key.upper()}"])
    rest = re.sub(r"(?=    \)\n\}\n$)", f"        {key.upper()},\n", rest)
    registry.write_text(head + "\n".join(ordered) + "\n" + rest, encoding="utf-8")
    print(f"{registry}: {key.upper()} comes last")


def seeds(text: str) -> int:
    return whole("seeds", int(text), 1, 100)


def workers(text: str) -> int:
    return whole("workers", int(text), 1, 256)


def parser() -> argparse.ArgumentParser:
    out = argparse.ArgumentParser(
        "svmviz", description="Watch SVM solvers think.", allow_abbrev=False
    )
    commands = out.add_subparsers(required=True)

    def command(act, words: str) -> argparse.ArgumentParser:
        made = commands.add_parser(
            act.__name__, help=words, description=act.__doc__, allow_abbrev=False
        )
        made.set_defaults(act=act)
        return made

    command(app, "open the app; options go to `streamlit run`").add_argument(
        "--run",
        type=Path,
        help="a run that `svmviz.run.saving.save` wrote, such as an estimator's `trace_`",
    )
    run = command(trace, "print a run as a table, or save it")
    run.add_argument(
        "run", nargs="+", help="a link, or parts of one such as data=moons solver=sbp T=500"
    )
    run.add_argument("--out", type=Path, help="a file: .csv, or .npz")
    taken = command(page, "write what a link shows as one HTML file that plays by itself")
    taken.add_argument(
        "link", nargs="+", help="a link, or parts of one such as data=moons solver=sbp T=500"
    )
    taken.add_argument("-o", "--out", type=Path, required=True, help="the file, such as run.html")
    deck = command(slides, "make a storyboard slides, a page or a lesson")
    deck.add_argument("board", help="a text file, or a link with #board= in it")
    deck.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help="a folder such as deck/, or a file: .zip, .html or .md",
    )
    record = command(papers, "record the figures and tables of the papers")
    record.add_argument("what", choices=["record"], help="compute and record")
    record.add_argument(
        "--only", nargs="+", default=[], help="such as sbp, sbp.figure2 or sbp.figure2.a9a"
    )
    record.add_argument("--seeds", type=seeds, help="instead of as many as each figure usually has")
    record.add_argument(
        "--size",
        type=int,
        default=0,
        help="rows or examples, instead of the usual ones: of sbp, and of bsgd.table4",
    )
    record.add_argument(
        "--missing",
        action="store_true",
        help="only runs that are not recorded yet, by whatever code",
    )
    record.add_argument("--out", type=Path, help="a folder, instead of the one that the pages read")
    record.add_argument("--dask", metavar="ADDRESS", help=SCHEDULER)
    many = command(sweep, "try many hyperparameters, here or on a Dask cluster")
    many.add_argument("spec", type=Path, help="a file that says what is swept, in TOML")
    many.add_argument("--out", type=Path, required=True, help="where the rows go, a .parquet file")
    many.add_argument("--dask", metavar="ADDRESS", help=SCHEDULER)
    many.add_argument(
        "--known",
        type=Path,
        nargs="+",
        default=[],
        help="files of other sweeps, whose rows are used again",
    )
    many.add_argument(
        "--workers", type=workers, help="processes of this machine; as many as cores by default"
    )
    started = command(cluster, "start a Dask scheduler and workers on this machine, to try it out")
    started.add_argument("--workers", type=workers, default=2)
    static = command(site, "write a site that needs no server")
    static.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        help="its folder, empty or with a former site in it",
    )
    static.add_argument(
        "--home",
        default="",
        metavar="ADDRESS",
        help="of an app that does what files cannot; pages lead there",
    )
    static.add_argument(
        "--force", action="store_true", help="write beside whatever else is in the folder"
    )
    begun = command(new, "begin a solver: its file, its test, its line in the registry")
    begun.add_argument("key", help="its name in links, such as norma")
    begun.add_argument("--title", default="", help="its name on the screen")
    command(bench, "run a benchmark of a checkout").add_argument(
        "name", nargs="?", help="such as peers"
    )
    return out


def main(words: Sequence[str] | None = None) -> int:
    known, rest = parser().parse_known_args(words)
    if rest and known.act not in (app, bench):
        parser().error(f"unrecognised: {' '.join(rest)}")
    known.options = rest
    try:
        return known.act(known) or 0
    except ValueError as error:
        print(f"svmviz: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
