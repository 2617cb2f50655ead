"""The scripts and styles of the player, in such an order that a module comes after those that it imports."""

import hashlib
import posixpath
import re

from svmviz.player import WEB

IMPORTED = re.compile(r'from "(\.[\w./]+)"')
DIGEST = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(WEB.rglob("*.*")))).hexdigest()[:12]


def sources(pattern: str) -> dict[str, str]:
    """The files of the player by their path in its folder."""
    return {path.relative_to(WEB).as_posix(): path.read_text(encoding="utf-8") for path in sorted(WEB.rglob(pattern))}


def imports(name: str, source: str) -> list[str]:
    """The paths of the modules that one imports."""
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in IMPORTED.findall(source)]


def modules() -> dict[str, str]:
    """The sources by path, each after those that it imports, which it calls by their paths."""
    written, found = sources("*.js"), {}

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
