"""The web application: two pages, and the requests that their scripts make.

Files are served by name from a table, so that no path leads anywhere else.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from concordant.errors import ConcordantError
from concordant.judging.campaign import token_hash
from concordant.judging.desk import Desk, Refused
from concordant.judging.export import EXPORTS, export_text
from concordant.judging.guard import Guard
from concordant.judging.overview import Overview

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request

    from concordant.judging.clerk import Clerk

PAGES = Path(__file__).parent / "pages"
FILES = {
    "/": ("judge.html", "text/html"),
    "/organiser": ("organiser.html", "text/html"),
    "/judge.js": ("judge.js", "text/javascript"),
    "/request.js": ("request.js", "text/javascript"),
    "/screens.js": ("screens.js", "text/javascript"),
    "/words.js": ("words.js", "text/javascript"),
    "/organiser.js": ("organiser.js", "text/javascript"),
    "/page.css": ("page.css", "text/css"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}


class JudgingApp:
    """Routes of one campaign."""

    def __init__(self, clerk: Clerk) -> None:
        self.clerk = clerk
        self.overview = Overview(clerk.campaign.path)

    def asgi(self, hosts: frozenset[str] | None, public: str = "") -> Guard:
        """The application behind its guard; see there for `hosts` and `public`."""
        routes = [
            Route("/api/task", _judges(self._task), methods=["GET"]),
            Route("/api/previous", _judges(self._previous), methods=["GET"]),
            Route("/api/judgement", _judges(self._judgement), methods=["POST"]),
            Route("/api/overview", _judges(self._overview), methods=["GET"]),
            Route("/api/metrics", _judges(self._metrics), methods=["GET"]),
            Route("/api/export", _judges(self._export), methods=["GET"]),
            Route("/api/pause", _judges(self._pause), methods=["POST"]),
            Route("/api/state", _judges(self._state), methods=["POST"]),
            *(Route(path, _file(*what), methods=["GET"]) for path, what in FILES.items()),
        ]
        return Guard(Starlette(routes=routes), hosts, public)

    async def _at_desk(self, work: Callable[[Desk], Any]) -> Any:
        return await asyncio.wrap_future(self.clerk.ask(work))

    async def _task(self, request: Request) -> Response:
        token = _token(request)
        return JSONResponse(await self._at_desk(lambda desk: desk.task(token)))

    async def _previous(self, request: Request) -> Response:
        token = _token(request)
        return JSONResponse(await self._at_desk(lambda desk: desk.previous(token)))

    async def _judgement(self, request: Request) -> Response:
        token, body = _token(request), await _json(request)
        return JSONResponse(await self._at_desk(lambda desk: _judged(desk, token, body)))

    async def _overview(self, request: Request) -> Response:
        await self._check_organiser(request)
        known = await self._at_desk(lambda desk: (desk.judgements, desk.paused))
        return JSONResponse(await asyncio.to_thread(self.overview.now, *known))

    async def _metrics(self, request: Request) -> Response:
        await self._check_organiser(request)
        return JSONResponse(await asyncio.to_thread(self.overview.metrics))

    async def _export(self, request: Request) -> Response:
        await self._check_organiser(request)
        name = request.query_params.get("format", "")
        if name not in EXPORTS:
            raise Refused(422, f"A format is one of {', '.join(EXPORTS)}.")
        text = await asyncio.to_thread(export_text, self.clerk.campaign.path, name)
        return PlainTextResponse(text)

    async def _pause(self, request: Request) -> Response:
        await self._check_organiser(request)
        body = await _json(request)
        if set(body) != {"paused"} or not isinstance(body["paused"], bool):
            raise Refused(422, "paused is true or false.")

        def change(desk: Desk) -> dict[str, Any]:
            desk.campaign.set_value("paused", body["paused"])
            desk.paused = body["paused"]
            return {"paused": desk.paused}

        return JSONResponse(await self._at_desk(change))

    async def _state(self, request: Request) -> Response:
        await self._check_organiser(request)
        body = await _json(request)
        if set(body) != {"judge", "state"} or not all(isinstance(x, str) for x in body.values()):
            raise Refused(422, "A change has judge and state.")

        def change(desk: Desk) -> dict[str, Any]:
            try:
                desk.campaign.set_state(body["judge"], body["state"])
            except ConcordantError as fault:
                raise Refused(422, str(fault)) from None
            for each in desk.judges.values():
                if each.name == body["judge"]:
                    each.state = body["state"]
            self.overview.forget()
            return body

        return JSONResponse(await self._at_desk(change))

    async def _check_organiser(self, request: Request) -> None:
        hashed = token_hash(_token(request))
        if not hmac.compare_digest(hashed, await self._at_desk(lambda desk: desk.organiser)):
            raise Refused(401, "This is not the organiser's link.")


def _judged(desk: Desk, token: str, body: dict[str, Any]) -> dict[str, Any]:
    """Write a judgement, and in the same transaction give the next task."""
    return {**desk.judge(token, body), **desk.task(token)}


def _judges(
    endpoint: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint whose refusals are words for the page."""

    async def answering(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refusal:
            return JSONResponse({"words": str(refusal)}, refusal.status)
        except ConcordantError as fault:
            return JSONResponse({"words": str(fault)}, 422)

    return answering


def _file(name: str, kind: str) -> Callable[[Request], Awaitable[Response]]:
    content = (PAGES / name).read_bytes()

    async def give(_: Request) -> Response:
        return Response(content, media_type=kind)

    return give


def _token(request: Request) -> str:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise Refused(401, "Open this page by the link that you were given.")
    return token


async def _json(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "A request is JSON.")
    try:
        body = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Refused(400, "This is not JSON.") from None
    if not isinstance(body, dict):
        raise Refused(400, "A request is a JSON object.")
    return body
