"""The explorer's server: one page, and what is shown of a script, for this machine alone.

Texts are compiled in processes of their own, so many at a time as stated below, and ended after a time; what waits
beyond a number is sent away. Requests that come from other pages or by another name of this machine are refused.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from anyio import CapacityLimiter, fail_after, to_process
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from corro.explore import answers
from corro.explore.view import view

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from starlette.requests import Request

STATIC = Path(__file__).with_name("static")
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
            app.state.path = script.resolve() if script is not None else Path(empty, answers.EMPTY)
            app.state.limiter = CapacityLimiter(AT_ONCE)
            yield

    async def start(_: Request) -> Response:
        return _json(answers.begun(script))

    routes = [
        Route("/", _index),
        Route("/start", start),
        Route("/view", _view, methods=["POST"]),
        Route("/rule/{name}", _rule),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    middleware = [Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts)), Middleware(_Guarded)]
    handlers = {HTTPException: _wrong, answers.Refused: _refused}
    return Starlette(routes=routes, middleware=middleware, lifespan=lifespan, exception_handlers=handlers)


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
            await _json({"message": "Only the explorer's own page may ask."}, 403)(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)


async def _index(_: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _view(request: Request) -> Response:
    """What is shown of what is in the body."""
    state = request.app.state
    shown = answers.asked(await _body(request), state.path)
    if state.limiter.statistics().tasks_waiting >= WAITING:
        raise answers.Refused(503, "Too many scripts are being looked at; try again in a moment.")
    try:
        with fail_after(SECONDS):
            return _json(await to_process.run_sync(view, *shown, cancellable=True, limiter=state.limiter))
    except TimeoutError as error:
        raise answers.Refused(503, f"This took longer than {SECONDS:.0f} seconds and was ended.") from error


async def _body(request: Request) -> bytes:
    """The body, read no further than a request can be long."""
    if request.headers.get("content-type") != "application/json":
        raise answers.Refused(415, "JSON is expected.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > answers.LARGEST_REQUEST:
            break
    return bytes(body)


async def _rule(request: Request) -> Response:
    return _json(answers.rule(request.path_params["name"]))


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, answers.Refused)
    return _json({"message": error.message}, error.status)


async def _wrong(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _json({"message": error.detail}, error.status_code)


def _json(value: Any, status: int = 200) -> Response:
    return Response(answers.encoded(value), status, media_type="application/json")
