"""The scripts and styles of the player, in such an order that a module comes after those that it
imports; for a page without a server also all of them as one script.
"""

import base64
import hashlib
import posixpath
import re
from functools import cache

from svmviz.player import WEB

IMPORTED = re.compile(r'from "(\.[\w./]+)"')
TAKEN = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "([\w./]+)";', re.MULTILINE)
PASSED_ON = re.compile(r'^export (\{[^}]*\}) from "([\w./]+)";', re.MULTILINE)
OFFERED = re.compile(
    r"^export ((?:async )?(?:function\*?|class|const) )(\w+|\[[\w, ]*\])", re.MULTILINE
)
# Comments of some lines, of one, casts, comments behind code, indentation.
UNSAID = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        r"^\s*/\*(?:(?!\*/)[\s\S])*\*/[ \t]*\n",
        r"^\s*//.*\n",
        r"/\*\* @type .*?\*/ ?",
        r"(?<=[;,{(\[}]) //.*$",
        r"^\s+",
    )
]
# What belongs to no stage: what the app mounts by itself, slides, and what only a site has.
CHARTS, DECK, SITE = "charts/", "deck/", "site"
STAGES = "race", "lesson", "explore", "figure"  # beside that of a run
MOUNTED = "mounted"  # the folder of what Streamlit sends by itself
# The styles of all stages, of each stage, and of Streamlit's page around them. A rule may overrule
# those of a file before its own.
COMMON = (
    *(f"styles/{name}" for name in ("tokens", "elements", "frame", "plane", "code", "transport")),
    *("styles/symbols", "panels/sbp/basin", "panels/bsgd/rack", "panels/incremental/pool"),
    *(f"styles/{name}" for name in ("present", "low", "phone", "reduced")),
    *("hall/presenting", "saving/main", "questions/main", "styles/quiz", "fork/main"),
    "storyboard/main",
)
OWN = {
    "stage": (),
    "race": ("race/main",),
    "lesson": ("lesson/card", "lesson/main", "lesson/list", "lesson/narrow"),
    "explore": ("explore/main",),
    "figure": ("figure/main",),
}
ROOT = "styles/tokens.css", "offline/root.css"  # of a page of our own
SHELL = [f"shell/{name}.css" for name in ("page", "sidebar", "work", "article", "tree")]
LIBRARIES = "vendor"  # the folder of what others wrote, read when first needed
DIGEST = hashlib.sha256(
    b"".join(path.read_bytes() for path in sorted(WEB.rglob("*.*")))
).hexdigest()[:12]


def sources() -> dict[str, str]:
    """Return the scripts of the player by their path in its folder."""
    ours = (
        path for path in sorted(WEB.rglob("*.js")) if path.parent.name not in (LIBRARIES, MOUNTED)
    )
    return {path.relative_to(WEB).as_posix(): path.read_text(encoding="utf-8") for path in ours}


def imports(name: str, source: str) -> list[str]:
    """The paths of the modules that one imports."""
    return [
        posixpath.normpath(posixpath.join(posixpath.dirname(name), other))
        for other in IMPORTED.findall(source)
    ]


def modules() -> dict[str, str]:
    """The sources by path, each after those that it imports, which it calls by their paths."""
    written, found = sources(), {}

    def add(name: str) -> None:
        if name not in found:
            others = imports(name, written[name])
            for other in others:
                add(other)
            named = iter(others)
            found[name] = IMPORTED.sub(lambda _: f'from "{next(named)}"', written[name])

    for name in written:
        add(name)
    return found


def styles(entry: str) -> list[str]:
    """Return the styles of a stage by path, in the order in which they apply."""
    return [f"{name}.css" for name in (*COMMON, *OWN[entry])]


@cache
def bundle(entry: str = "") -> str:
    """Everything that runs on a stage as one script without comments, which leaves all modules by
    their paths in `svmvizScripts`: a page without a server carries it along. A site has all stages,
    a page one.
    """
    apart = (CHARTS, DECK, *(f"{room}/" for room in (SITE, *STAGES) if entry not in ("", room)))
    parts = [
        enclosed(name, source) for name, source in modules().items() if not name.startswith(apart)
    ]
    return '"use strict";globalThis.svmvizScripts={};' + "".join(f"{part}\n" for part in parts)


@cache
def style(entry: str) -> str:
    """The look of a page that has only this stage."""
    letters = base64.b64encode((WEB / LIBRARIES / "stage-sans.woff2").read_bytes()).decode()
    face = (
        '@font-face{font-family:"Stage Sans";font-weight:400'
        f" 700;src:url(data:font/woff2;base64,{letters})}}"
    )
    return face + compact(*styles(entry), "offline/root.css", "offline/main.css")


def compact(*names: str) -> str:
    """Styles by their paths, without comments."""
    text = "".join((WEB / name).read_text(encoding="utf-8") for name in names)
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return re.sub(r"\s*([{};])\s*", r"\1", " ".join(plain.split()))


def enclosed(name: str, source: str) -> str:
    """A module as a function that is called at once: names that it imports come from the table of
    modules, and those that it exports go there.

    >>> print(
    ...     enclosed("b.js", 'import { one as two } from "a.js";\\nexport const three = two + 1;')
    ... )
    svmvizScripts["b.js"] = (() => {
    const { one: two } = svmvizScripts["a.js"];
    const three = two + 1;
    return { three };
    })();
    """

    def taken(found: re.Match) -> str:
        names, other = found.groups()
        left = names.removeprefix("* as ") if names.startswith("*") else names.replace(" as ", ": ")
        return f'const {left} = svmvizScripts["{other}"];'

    offered = [one for _, names in OFFERED.findall(source) for one in re.findall(r"\w+", names)]
    for names, other in PASSED_ON.findall(source):
        for one in filter(None, (part.strip() for part in names.strip("{}").split(","))):
            there, _, here = one.partition(" as ")
            offered.append(f'{here or there}: svmvizScripts["{other}"].{there}')
    body = OFFERED.sub(r"\1\2", PASSED_ON.sub("", TAKEN.sub(taken, source)))
    return bare(
        f'svmvizScripts["{name}"] = (() => {{\n{body}\nreturn {{ {", ".join(offered)} }};\n}})();'
    )


def bare(source: str) -> str:
    """A script without comments and indentation; every word of it is kept, those of templates
    within templates, too.

    >>> text = "const b = a => `${a && `${a} found`} or  ${/** @type {any} */ (a)}`; //"
    >>> bare(f"// two\\n  /** @param {{number}} a */\\n  {text}")
    'const b = a => `${a && `${a} found`} or  ${(a)}`;'
    """
    for pattern in UNSAID:
        source = pattern.sub("", source)
    return source
