"""What the server says beside Streamlit's pages: how it is, and rules for the browser, without a
proxy before it.
"""

import asyncio
import http.client
import threading
from urllib.parse import urlsplit

import pytest
from starlette.requests import Request

from deploy import door
from deploy.proxy import HEALTH
from svmviz.ui.jobs import background


def answered(kind="http", path="/", query=b"", client="127.0.0.1") -> dict:
    """What comes out of the middleware before an app that says little: the first message."""
    sent = []

    async def app(scope, receive, send):
        await send(
            {
                "type": "http.response.start" if kind == "http" else "websocket.accept",
                "status": 200,
                "headers": [(b"server", b"x")],
            }
        )

    async def send(message):
        sent.append(message)

    asyncio.run(
        door.Headers(app)(
            {
                "type": kind,
                "path": path,
                "query_string": query,
                "client": (client, 1),
                "method": "GET",
                "headers": [],
            },
            None,
            send,
        )
    )
    return sent[0] | {
        "headers": {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
    }


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_every_answer_says_what_a_page_may_load_and_who_may_frame_it(kind):
    headers = answered(kind)["headers"]
    assert (
        headers["x-content-type-options"] == "nosniff"
        and headers["x-frame-options"] == "SAMEORIGIN"
    )
    assert "default-src 'self'" in headers["content-security-policy"] and headers["server"] == "x"
    assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
    for query in (b"embed=true", b"data=moons&embed=TRUE"):
        framed = answered(kind, query=query)["headers"]
        assert (
            framed["content-security-policy"].endswith("frame-ancestors *")
            and "x-frame-options" not in framed
        )
    assert "x-frame-options" in answered(kind, query=b"embed=false")["headers"]


@pytest.mark.parametrize(
    "path", ["/_stcore/metrics", "/race/_stcore/metrics", "/_stcore/script-health-check"]
)
def test_what_concerns_nobody_else_is_closed_to_other_machines(path):
    assert [
        answered(path=path, client=host)["status"] for host in ("127.0.0.1", "::1", "192.0.2.7")
    ] == [200, 200, 404]
    assert answered(path="/_stcore/health", client="192.0.2.7")["status"] == 200


def health() -> tuple[int, bytes]:
    found = asyncio.run(door.health(Request({"type": "http"})))
    return found.status_code, found.body


def test_health_of_a_server_that_cannot_compute_logs_why(monkeypatch, caplog):
    def refuse():
        raise OSError("no process can be started")

    monkeypatch.setattr(door, "READY", threading.Event())
    door.READY.set()
    monkeypatch.setattr(background, "well", refuse)
    assert health() == (404, b"stuck") and "no process can be started" in caplog.text


def test_a_server_without_a_warm_process_is_ready_all_the_same(monkeypatch, caplog):
    class Cold:
        def warm(self):
            raise OSError("no process can be started")

    monkeypatch.setattr(door, "READY", threading.Event())
    monkeypatch.setattr(background, "hands", Cold)
    door.bring()
    assert door.READY.is_set() and "no process can be started" in caplog.text


def test_it_says_how_it_is(monkeypatch):
    """Before all is ready, where a tiny computation is carried out, where none is, and when that is
    over.
    """
    monkeypatch.setattr(door, "READY", threading.Event())
    assert health() == (503, b"starting")
    door.bring()
    assert health() == (200, b"ok")
    monkeypatch.setattr(background, "PLACES", threading.BoundedSemaphore(1))
    monkeypatch.setattr(door, "PATIENCE", 0.2)
    with background.PLACES:
        assert health() == health() == (404, b"stuck")
    monkeypatch.setattr(door, "PATIENCE", 60.0)
    assert health() == (200, b"ok")


def test_the_running_app_says_so(server):
    where = urlsplit(server)

    def asked(path):
        connection = http.client.HTTPConnection(where.hostname, where.port, timeout=60)
        connection.request("GET", path)
        answer = connection.getresponse()
        return (
            answer.status,
            {name.lower(): value for name, value in answer.getheaders()},
            answer.read(),
        )

    assert asked(HEALTH)[2] in (b"ok", b"starting")
    for path in ("/", "/race", "/_stcore/host-config", HEALTH):
        status, headers, _ = asked(path)
        assert (
            status in (200, 503)
            and "content-security-policy" in headers
            and headers["x-frame-options"] == "SAMEORIGIN"
        )
