"""What no container and no cluster has run here, read as far as can be: files that agree with each
other and with the app.
"""

import http.client
import re
import subprocess
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from deploy import proxy, serve

HERE = proxy.HERE
MANIFESTS = {
    (part["kind"], part["metadata"]["name"]): part
    for part in yaml.safe_load_all(proxy.MANIFEST.read_text(encoding="utf-8"))
}
PODS = [
    MANIFESTS[which]["spec"]["template"]["spec"]
    for which in (("StatefulSet", "svmviz"), ("Deployment", "door"))
]
DOOR = MANIFESTS["ConfigMap", "door"]["data"]["haproxy.cfg"]


def instructions() -> list[tuple[str, str]]:
    """Of the Dockerfile, each in one line."""
    text = re.sub(r"\\\n\s*", " ", (HERE / "Dockerfile").read_text(encoding="utf-8"))
    return [
        tuple(line.split(" ", 1)) for line in text.splitlines() if line and not line.startswith("#")
    ]


def test_the_image_is_pinned_runs_as_nobody_in_particular_and_has_all_that_it_copies():
    found = instructions()
    (image,) = [rest for name, rest in found if name == "FROM"]
    assert re.fullmatch(r"python:3\.\d+\.\d+-slim-[a-z]+", image)
    names = [name for name, _ in found]
    assert (
        names.index("USER") < names.index("ENTRYPOINT")
        and dict(found)["USER"].isdigit()
        and dict(found)["USER"] != "0"
    )
    ignored = (HERE / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    for source in (rest.split()[0] for name, rest in found if name == "COPY"):
        assert (HERE.parent / source).exists() and any(
            line.startswith(f"!{source}") for line in ignored
        )
    assert (
        proxy.HEALTH in dict(found)["HEALTHCHECK"] and "deploy.serve" in dict(found)["ENTRYPOINT"]
    )
    assert (
        "# test" in (HERE.parent / "requirements.txt").read_text(encoding="utf-8").splitlines()
    ), "cut there"


def test_the_compose_file_builds_that_image_and_shuts_it_in():
    (service,) = yaml.safe_load((HERE / "compose.yaml").read_text(encoding="utf-8"))[
        "services"
    ].values()
    assert (
        HERE / service["build"]["context"] / service["build"]["dockerfile"]
    ).resolve() == HERE / "Dockerfile"
    assert (
        service["read_only"]
        and service["cap_drop"] == ["ALL"]
        and service["ports"][0].endswith(":8501")
    )


def test_the_cluster_has_the_same_door():
    assert proxy.in_cluster(proxy.MANIFEST.read_text(encoding="utf-8")) == proxy.MANIFEST.read_text(
        encoding="utf-8"
    ), "python -m deploy.proxy --write"
    assert (
        f"cookie {proxy.COOKIE} insert indirect nocache httponly" in DOOR
        and f"httpchk GET {proxy.HEALTH}" in DOOR
    )
    pods = MANIFESTS["StatefulSet", "svmviz"]["spec"]
    assert len(proxy.PODS) == pods["replicas"]
    for k, address in enumerate(proxy.PODS.values()):
        domain = f"{pods['serviceName']}.{MANIFESTS['StatefulSet', 'svmviz']['metadata']['namespace']}.svc.cluster.local"
        assert address == f"svmviz-{k}.{domain}:8501"


def test_services_find_their_pods():
    for name, kind in (("svmviz", "StatefulSet"), ("door", "Deployment")):
        spec = MANIFESTS[kind, name]["spec"]
        labels = spec["template"]["metadata"]["labels"]
        assert (
            spec["selector"]["matchLabels"]
            == labels
            == MANIFESTS["Service", name]["spec"]["selector"]
        )


@pytest.mark.parametrize("pod", PODS, ids=["app", "door"])
def test_pods_may_do_little_and_are_asked_for_their_health(pod):
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == 10001
    (container,) = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    assert container["readinessProbe"]["httpGet"]["path"] == proxy.HEALTH
    assert {mount["name"] for mount in container["volumeMounts"]} == {
        volume["name"] for volume in pod["volumes"]
    }


@pytest.mark.parametrize(
    "place",
    [proxy.Place(), proxy.CLUSTER, proxy.Place(frames="https://a.org https://b.org")],
    ids=["here", "cluster", "frames"],
)
def test_haproxy_understands_it(place, tmp_path, request):
    if serve.haproxy() is None:
        request.getfixturevalue("hall")  # which says so
    file = tmp_path / "haproxy.cfg"
    file.write_text(proxy.config({"app-0": "127.0.0.1:8502"}, place), encoding="utf-8")
    done = subprocess.run([serve.haproxy(), "-c", "-f", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


class App(BaseHTTPRequestHandler):
    """One of the processes, which says of itself what it is told to."""

    def do_GET(self):
        healthy, told = self.path != proxy.HEALTH, self.server.name.encode()
        self.send_response(200 if healthy else self.server.health)
        self.send_header("Content-Length", str(len(told)))
        self.end_headers()
        self.wfile.write(told)

    def log_message(self, *words):
        pass


@pytest.fixture
def door(tmp_path, request):
    """The port of HAProxy before two processes, and these by name."""
    if serve.haproxy() is None:
        request.getfixturevalue("hall")  # which says so
    apps, port = {}, serve.free_ports(1)[0]
    for name in ("app-0", "app-1"):
        apps[name] = ThreadingHTTPServer(("127.0.0.1", 0), App)
        apps[name].name, apps[name].health = name, 200
        threading.Thread(target=apps[name].serve_forever, daemon=True).start()
    place = proxy.Place(f"127.0.0.1:{port}", socket=f"unix@{tmp_path}/parts.sock")
    file = tmp_path / "haproxy.cfg"
    file.write_text(
        proxy.config({name: f"127.0.0.1:{app.server_port}" for name, app in apps.items()}, place),
        encoding="utf-8",
    )
    with subprocess.Popen(
        [serve.haproxy(), "-db", "-f", file], stdout=subprocess.DEVNULL
    ) as running:
        yield port, apps
        running.kill()
    for app in apps.values():
        app.shutdown()


def test_a_process_that_is_stuck_gets_no_newcomers_and_keeps_its_own(door):
    port, apps = door

    def answers(cookie: str = "") -> set[str]:
        """Who answers twenty visitors, all of them newcomers if they have no cookie."""
        found = set()
        for _ in range(20):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            with suppress(OSError, http.client.HTTPException):
                connection.request(
                    "GET", "/", headers={"Cookie": f"{proxy.COOKIE}={cookie}"} if cookie else {}
                )
                found.add(connection.getresponse().read().decode())
            connection.close()
        return found

    def until(expected: set[str]) -> None:
        deadline = time.monotonic() + 60
        while (found := answers()) != expected:
            assert time.monotonic() < deadline, found

    until({"app-0", "app-1"})
    apps["app-0"].health = 404
    until({"app-1"})
    assert answers("app-0") == {"app-0"}
    apps["app-0"].health = 200
    until({"app-0", "app-1"})


def test_over_tls_the_cookie_comes_back_in_frames_too():
    told = proxy.config({"app-0": "127.0.0.1:8502"}, proxy.Place(certificate="site.pem"))
    assert (
        'secure attr "SameSite=None"' in told
        and "ssl crt site.pem" in told
        and "Strict-Transport-Security" in told
    )


def test_without_haproxy_one_is_told_what_to_do(monkeypatch):
    monkeypatch.setattr(serve.shutil, "which", lambda *_, **__: None)
    monkeypatch.setattr("sys.argv", ["serve"])
    with pytest.raises(SystemExit, match="apt-get install haproxy"):
        serve.main()
