"""What the server says beside Streamlit's pages: whether it is well, and what a browser may load.
Imported before its port answers, so that nothing that takes long is imported here.
"""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from deploy.proxy import HEALTH, policy

PATIENCE = 5.0  # seconds after which who does not answer is not well
CLOSED = "/_stcore/metrics", "/_stcore/script-health-check", "/_stcore/agent"  # to other machines
HERE = "127.0.0.1", "::1", "::ffff:127.0.0.1"
BACKGROUND = "svmviz.ui.jobs.background"
READY = threading.Event()
LOG = logging.getLogger(__name__)
ASKING = ThreadPoolExecutor(1, "health")  # whose one thread stays where things are stuck
FRAMES = {False: "'self'", True: "*"}  # who may show it, by embed=true


def bring() -> None:
    """Import, compile and load what the first visitor would have to wait for, here and in the
    processes that compute. That these are warm is only quicker: whether they compute is asked by
    `health`.
    """
    background, compiling = import_module(BACKGROUND), import_module("svmviz.ui.jobs.compiling")
    compiling.compilation().join()
    try:
        background.hands().warm()
    except Exception as error:
        LOG.warning("no process is warm yet (%r)", error)
    READY.set()


@asynccontextmanager
async def lifespan(app: Any) -> AsyncIterator[None]:
    threading.Thread(target=bring, name="ready", daemon=True).start()
    yield


async def health(request: Request) -> PlainTextResponse:
    """Whether something small is computed at once, as a script computes it and by a process. A
    proxy that is told 404 sends no new visitors, and leaves those that are here.
    """
    if not READY.is_set():
        return PlainTextResponse("starting", 503)
    try:
        await asyncio.wait_for(
            asyncio.get_running_loop().run_in_executor(ASKING, import_module(BACKGROUND).well),
            PATIENCE,
        )
    except Exception as error:
        LOG.warning("stuck: not even something small was computed (%r)", error)
        return PlainTextResponse("stuck", 404)
    return PlainTextResponse("ok")


class Headers:
    """Rules for the browser in every answer; what concerns nobody but this machine is closed to
    others. deploy/haproxy.cfg says the same where it stands before this.
    """

    def __init__(self, app: ASGIApp):
        self.app, self.policy = app, policy()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            return await self.app(scope, receive, send)
        if (
            any(path in scope["path"] for path in CLOSED)
            and (scope.get("client") or ("",))[0] not in HERE
        ):
            return await PlainTextResponse("Not Found", 404)(scope, receive, send)
        rules = self.rules(
            parse_qs(scope.get("query_string", b"").decode("latin-1"))
            .get("embed", [""])[-1]
            .lower()
            == "true"
        )

        async def out(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.accept"):
                message = message | {"headers": list(message.get("headers", ()))}
                MutableHeaders(raw=message["headers"]).update(rules)
            await send(message)

        await self.app(scope, receive, out)

    def rules(self, embedded: bool) -> dict[str, str]:
        always = {
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
            "Content-Security-Policy": f"{self.policy}; frame-ancestors {FRAMES[embedded]}",
        }
        return always if embedded else always | {"X-Frame-Options": "SAMEORIGIN"}


ROUTES = [Route(HEALTH, health)]
MIDDLEWARE = [Middleware(Headers)]
