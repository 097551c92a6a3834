"""The explorer's server: one page, and what is shown of a script, for this machine alone.

Texts are compiled in processes of their own, so many at a time as stated below, and ended after a time; what waits
beyond a number is sent away. Requests that come from other pages or by another name of this machine are refused.
"""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter, fail_after, to_process
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from corro.compiler import SCALINGS
from corro.explore.pages import page_of
from corro.explore.view import view
from corro.targets import names

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request

STATIC = Path(__file__).with_name("static")
LARGEST = 2**20
"""Bytes of a script; a request holds its text as JSON, which may take several times as many."""
SECONDS = 60.0
AT_ONCE = 2
WAITING = 20
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def application(script: Path | None = None, hosts: tuple[str, ...] = ("127.0.0.1", "localhost")) -> Starlette:
    """The page as an ASGI application.

    Args:
        script: what is shown first, and around which project modules are looked for.
        hosts: the names by which it may be asked.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with TemporaryDirectory() as empty:
            app.state.path = script.resolve() if script is not None else Path(empty, "train.py")
            app.state.limiter = CapacityLimiter(AT_ONCE)
            yield

    async def start(_: Request) -> Response:
        return JSONResponse(
            {
                "name": script.name if script is not None else "train.py",
                "text": script.read_text(encoding="utf-8", errors="replace") if script is not None else None,
                "scalings": SCALINGS,
            }
        )

    routes = [
        Route("/", _index),
        Route("/start", start),
        Route("/view", _view, methods=["POST"]),
        Route("/rule/{name}", _rule),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(_Guarded)]
    return Starlette(
        routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers={HTTPException: _refused}
    )


class _Guarded:
    """Adds the headers, and refuses what another page asks for."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(k.lower().encode(), v.encode()) for k, v in _HEADERS.items()]
            await send(message)

        headers = dict(scope.get("headers", ()))
        origin, host = headers.get(b"origin"), headers.get(b"host", b"")
        if scope["type"] == "http" and origin is not None and origin != b"http://" + host:
            await JSONResponse({"message": "Only the explorer's own page may ask."}, 403)(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)


async def _index(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _view(request: Request) -> Response:
    """What is shown of the text in the body: ``{"text": …, "target": …, "scaling": …}``."""
    asked = await _asked(request)
    text, target, scaling = (
        asked.get(key, default) for key, default in (("text", None), ("target", ""), ("scaling", "strong"))
    )
    if not isinstance(text, str) or target not in ("", *names()) or scaling not in SCALINGS:
        raise HTTPException(400, "text, target or scaling is not what it should be.")
    if len(text.encode(errors="surrogatepass")) > LARGEST:
        raise HTTPException(413, f"The script is too large: {LARGEST // 2**20} MB at most.")
    state = request.app.state
    if state.limiter.statistics().tasks_waiting >= WAITING:
        raise HTTPException(503, "Too many scripts are being looked at; try again in a moment.")
    try:
        with fail_after(SECONDS):
            shown = await to_process.run_sync(
                view, text, str(state.path), target, scaling, cancellable=True, limiter=state.limiter
            )
    except TimeoutError as error:
        raise HTTPException(503, f"This took longer than {SECONDS:.0f} seconds and was ended.") from error
    return JSONResponse(shown)


async def _asked(request: Request) -> dict[str, Any]:
    """The body, read no further than a script can be long: JSON writes a character with 6 bytes at most."""
    if request.headers.get("content-type") != "application/json":
        raise HTTPException(415, "JSON is expected.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > 6 * LARGEST:
            raise HTTPException(413, f"The script is too large: {LARGEST // 2**20} MB at most.")
    try:
        asked = json.loads(bytes(body))
    except ValueError as error:
        raise HTTPException(400, "This is no JSON.") from error
    if not isinstance(asked, dict):
        raise HTTPException(400, "An object is expected.")
    return asked


async def _rule(request: Request) -> Response:
    found = page_of(request.path_params["name"])
    if found is None:
        raise HTTPException(404, "There is no such rule.")
    return JSONResponse(found)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"message": error.detail}, error.status_code)
