"""What HAProxy is told: deploy/haproxy.cfg with the processes, and what is known of this place,
filled in.

    python -m deploy.proxy --server app-0=10.0.0.1:8501 --server app-1=10.0.0.2:8501 > haproxy.cfg

prints it for processes that are started elsewhere (`python -m deploy.serve --alone`). That of the
cluster stands in deploy/kubernetes.yaml; `python -m deploy.proxy --write` puts it there anew.
"""

import argparse
import base64
import hashlib
import importlib.util
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from string import Template

HERE = Path(__file__).parent
COOKIE, HEALTH = "svmviz", "/healthz"
REQUESTS, CONNECTIONS = (
    4000,
    2000,
)  # within ten seconds, and at a time, of one address: several classes


@dataclass(frozen=True)
class Place:
    """Where the door is, and what is special about it."""

    bind: str = ":8501"
    socket: str = (
        "abns@svmviz-parts"  # between the cache and what fills it; a name that is in no folder
    )
    frames: str = "*"  # sites that may show embed=true in a frame, with a space between them
    certificate: str = ""  # file with certificate and key: the door speaks TLS
    behind: str = ""  # addresses of a proxy before this one, which says truly for whom it asks
    names: str = ""  # "asked" where the processes have names that are looked up again and again


def config(servers: Mapping[str, str], place: Place) -> str:
    """The whole of it, for processes by name and address."""
    secure, looked_up = (
        bool(place.certificate),
        (" resolvers names init-addr none" if place.names else ""),
    )
    return Template((HERE / "haproxy.cfg").read_text(encoding="utf-8")).substitute(
        bind=place.bind + (f" ssl crt {place.certificate} alpn h2,http/1.1" if secure else ""),
        socket=place.socket,
        frames=place.frames,
        policy=policy(),
        cookie=COOKIE,
        health=HEALTH,
        requests=REQUESTS,
        connections=CONNECTIONS,
        # In a frame of another site only a cookie that says so comes back, and only by TLS.
        attributes=(
            'secure attr "SameSite=None" attr Partitioned' if secure else 'attr "SameSite=Lax"'
        ),
        secure=(
            '    http-after-response set-header Strict-Transport-Security "max-age=31536000"\n'
            if secure
            else ""
        ),
        forwarded=(
            f"    http-request set-src hdr(X-Forwarded-For,-1) if {{ src {place.behind} }}\n"
            if place.behind
            else ""
        ),
        resolvers=(
            "resolvers names\n    parse-resolv-conf\n    hold valid 5s\n" if place.names else ""
        ),
        servers="\n".join(
            f"    server {name} {address} cookie {name}{looked_up}"
            for name, address in servers.items()
        ),
    )


def policy() -> str:
    """What a page may load: only from here. Modules of the player and of Streamlit's components
    come as blobs, styles are written by scripts; of scripts in the page itself only those that this
    Streamlit has.
    """
    installed = Path(importlib.util.find_spec("streamlit").origin).parent
    page = (installed / "static" / "index.html").read_text(encoding="utf-8")
    known = [
        hashlib.sha256(text.encode()).digest()
        for text in re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    ]
    hashes = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in known)
    return "; ".join(
        [
            "default-src 'self'",
            f"script-src 'self' blob: {hashes}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "media-src 'self' data: blob:",
            "connect-src 'self' blob: data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
        ]
    )


MANIFEST = HERE / "kubernetes.yaml"
PODS = {f"app-{k}": f"svmviz-{k}.svmviz.svmviz.svc.cluster.local:8501" for k in range(2)}
CLUSTER = Place(behind="10.0.0.0/8 172.16.0.0/12 192.168.0.0/16", names="asked")


def in_cluster(manifest: str) -> str:
    """The manifest with what HAProxy is told there."""
    before, mark, rest = manifest.partition("  haproxy.cfg: |\n")
    after = rest.partition("\n---\n")[2]
    lines = (f"    {line}".rstrip() for line in config(PODS, CLUSTER).splitlines())
    return before + mark + "\n".join(lines) + "\n---\n" + after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--server", action="append", default=[], metavar="NAME=HOST:PORT")
    parser.add_argument("--write", action="store_true", help="into deploy/kubernetes.yaml")
    for name, default in vars(Place()).items():
        parser.add_argument(f"--{name}", default=default)
    given = vars(parser.parse_args())
    servers, write = dict(one.split("=", 1) for one in given.pop("server")), given.pop("write")
    if write:
        MANIFEST.write_text(in_cluster(MANIFEST.read_text(encoding="utf-8")), encoding="utf-8")
    else:
        print(config(servers, Place(**given)), end="")


if __name__ == "__main__":
    main()
