"""The app behind its proxy, with the real HAProxy and two processes: who comes back to whom, what
is closed, what is written down, and what becomes of visitors whose process is killed.
"""

import asyncio
import http.client
import os
import re
import signal
from urllib.parse import urlsplit

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.app.hall import LECTURE, Guest, standing
from deploy import proxy
from tests.tools.rotation import in_turn

# Two processes and a proxy take ten seconds to start; what they are told is in
# tests/test_deploy.py.
pytestmark = [] if in_turn("test_serving", 4) else [pytest.mark.long]

IN_LOG = re.compile(r"^(page|part|stream|upload|closed) [A-Z]+ ", re.MULTILINE)


def asked(hall, path, method="GET", body=None, source="127.0.0.1", **headers):
    """Status, headers and body of one answer."""
    connection = http.client.HTTPConnection(
        "127.0.0.1", hall.port, timeout=30, source_address=(source, 0)
    )
    connection.request(
        method, path, body, {name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = connection.getresponse()
    found = (
        answer.status,
        dict((name.lower(), value) for name, value in answer.getheaders()),
        answer.read(),
    )
    connection.close()
    return found


def in_log(hall, text):
    """Wait until the proxy has written it down."""
    for _ in range(200):
        if text in hall.log.read_text():
            return True
        asyncio.run(asyncio.sleep(0.05))
    return False


def test_a_visitor_stays_with_one_process_and_newcomers_are_shared_out(hall):
    first = [asked(hall, "/")[1]["set-cookie"] for _ in range(4)]
    names = {
        re.match(r"svmviz=(app-\d); path=/; HttpOnly; SameSite=Lax$", cookie)[1] for cookie in first
    }
    assert names == {"app-0", "app-1"}
    for name in names:
        for path in ("/", "/race", "/_stcore/host-config"):
            assert "set-cookie" not in asked(hall, path, Cookie=f"svmviz={name}")[1], (
                "who has a process keeps it"
            )


def test_pages_say_what_they_may_load_and_who_may_frame_them(hall):
    for path in ("/", "/playground", "/race?data=moons", "/?embed=false", "/_stcore/host-config"):
        _, headers, _ = asked(hall, path)
        assert headers["content-security-policy"].endswith("frame-ancestors 'self'")
        assert headers["x-frame-options"] == "SAMEORIGIN"
    for path in ("/?embed=true", "/playground?data=moons&embed=true"):
        _, headers, _ = asked(hall, path)
        assert (
            headers["content-security-policy"].endswith("frame-ancestors *")
            and "x-frame-options" not in headers
        )
    for path in ("/", "/?embed=true", "/_stcore/metrics", "/component/none/x.js"):
        _, headers, _ = asked(hall, path)
        assert (
            headers["x-content-type-options"] == "nosniff"
            and headers["referrer-policy"] == "same-origin"
        )
        assert (
            "default-src 'self'" in headers["content-security-policy"] and "server" not in headers
        )


@pytest.mark.parametrize(
    "path",
    [
        "/_stcore/metrics",
        "/race/_stcore/metrics",
        "/%5Fstcore/metrics",
        "/_stcore/%6detrics",
        "/_stcore/script-health-check",
        "/_stcore/agent/openapi.json",
    ],
)
def test_what_concerns_nobody_is_closed(hall, path):
    assert asked(hall, path)[0] == 404


def test_scripts_are_packed_once_and_kept(hall):
    page = asked(hall, "/")[2].decode()
    script = "/" + re.search(r'src="\./(static/js/[^"]+)"', page)[1]
    sizes = [
        len(asked(hall, script, Accept_Encoding=kind)[2]) for kind in ("identity", "gzip", "gzip")
    ]
    assert sizes[1] == sizes[2] < 0.5 * sizes[0]
    _, headers, _ = asked(hall, script, Accept_Encoding="gzip")
    assert (
        "age" in headers and "immutable" in headers["cache-control"] and "set-cookie" not in headers
    )


def test_a_class_behind_one_address_comes_in_and_a_flood_does_not(hall):
    """Ten requests of each of two hundred phones at once; then far more, of which all after some
    thousand are refused.
    """
    assert 200 * 10 < proxy.REQUESTS and 200 * 7 < proxy.CONNECTIONS, (
        "a browser has up to six connections and a stream"
    )

    async def flood(count, source):
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", hall.port, local_addr=(source, 0)
        )
        writer.write(
            count * b"GET /_stcore/metrics HTTP/1.1\r\nHost: x\r\n\r\n"
            + b"GET /_stcore/metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        )
        answers = (await reader.read(-1)).decode()
        writer.close()
        return answers.count("HTTP/1.1 404"), answers.count("HTTP/1.1 429")

    assert asyncio.run(flood(2000, "127.0.0.2")) == (2001, 0)
    passed, refused = asyncio.run(flood(proxy.REQUESTS, "127.0.0.3"))
    assert passed <= proxy.REQUESTS and refused >= 1
    assert (
        asked(hall, "/", source="127.0.0.3")[0] == 429
        and asked(hall, "/", source="127.0.0.4")[0] == 200
    )


async def place_for_file(guest: Guest) -> str:
    """Where the server takes a file of this session."""
    request = BackMsg()
    request.file_urls_request.request_id = "one"
    request.file_urls_request.file_names.append("mine.csv")
    request.file_urls_request.session_id = guest.visitor.session
    await guest.visitor.socket.send(request.SerializeToString())
    while True:
        message = ForwardMsg.FromString(await guest.visitor.socket.recv())
        if message.WhichOneof("type") == "file_urls_response":
            return urlsplit(message.file_urls_response.file_urls[0].upload_url).path


def test_an_upload_reaches_the_process_that_waits_for_it(hall):
    async def upload():
        guest = Guest(hall)
        await guest.load("")
        assert not (await (await guest.connect()).ask(LECTURE)).fault
        path = await place_for_file(guest)
        found = (
            await asyncio.to_thread(send, path, guest.cookies),
            await asyncio.to_thread(
                send,
                path,
                guest.cookies | {"svmviz": "app-1" if guest.process == "app-0" else "app-0"},
            ),
        )
        await guest.leave()
        return found

    def send(path, cookies):
        body = (
            b'--x\r\nContent-Disposition: form-data; name="f"; filename="mine.csv"\r\nContent-Type:'
            b" text/csv\r\n\r\na,b,label\n0,1,1\n1,0,-1\n\r\n--x--\r\n"
        )
        token = cookies["_streamlit_xsrf"]
        return asked(
            hall,
            path,
            "PUT",
            body,
            Content_Type="multipart/form-data; boundary=x",
            X_Xsrftoken=token,
            Cookie="; ".join(f"{name}={value}" for name, value in cookies.items()),
        )[0]

    right, wrong = asyncio.run(upload())
    assert right == 204 and wrong == 400, "only one process knows this session"


def test_nothing_is_written_down_of_who_came_and_what_for(hall):
    asked(hall, "/race?data=moons&seed=271828", User_Agent="Telltale/1.0")
    assert asked(hall, "/_stcore/upload_file/secretsession/secretfile", "PUT", b"x")[0] in (
        400,
        403,
    )
    assert in_log(hall, "upload PUT")
    written = hall.log.read_text()
    requests = [line for line in written.splitlines() if IN_LOG.match(line)]
    assert len(requests) >= 2, "the page and the upload, and whatever others asked for"
    for line in requests:
        assert not re.search(
            r"\d+\.\d+\.\d+\.\d+|[?&=/](?!app-\d|packing|<)", line.replace("ms in all", "")
        ), line
    for secret in ("271828", "Telltale", "secretsession", "moons"):
        assert secret not in written


def test_visitors_of_a_killed_process_are_back_at_their_step_and_it_is_started_again(hall):
    links = [LECTURE | {"t": str(100 + k)} for k in range(6)]

    async def lose_one():
        guests = [Guest(hall) for _ in links]
        for guest, link in zip(guests, links, strict=True):
            await guest.get("/")
            assert not (await (await guest.connect()).ask(link)).fault
        where = [guest.process for guest in guests]
        assert {*where} == {"app-0", "app-1"}
        os.kill(hall.apps[0].pid, signal.SIGKILL)
        async with asyncio.timeout(30):
            for k, guest in enumerate(guests):
                fault = (
                    await guest.back(links[k])
                    if where[k] == "app-0"
                    else (await guest.visitor.ask(links[k])).fault
                )
                assert not fault and standing(guest.visitor) == links[k]["t"]
        now = [guest.process for guest in guests]
        await asyncio.gather(*(guest.leave() for guest in guests))
        return where, now

    where, now = asyncio.run(lose_one())
    assert all(
        after == "app-1" for before, after in zip(where, now, strict=True) if before == "app-1"
    )
    assert in_log(hall, "app-0 is back")
    for _ in range(100):  # until the proxy has seen it, too
        if any("app-0" in asked(hall, "/")[1]["set-cookie"] for _ in range(2)):
            break
        asyncio.run(asyncio.sleep(0.1))
    else:
        pytest.fail("nobody is led to the new process")
