"""The server of a campaign: on this machine only, unless it is told otherwise."""

from __future__ import annotations

import socket
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from concordant.errors import ConcordantError
from concordant.judgements.campaign_schema import open_to_read
from concordant.judging.campaign import segment_texts
from concordant.judging.clerk import Clerk
from concordant.judging.disagreement import disagreement_of
from concordant.judging.guard import is_loopback

if TYPE_CHECKING:
    from pathlib import Path

    from concordant.judging.desk import Desk

EXTRA = (
    "judging needs Starlette and uvicorn, which are not installed; "
    "install them with: pip install 'concordant[judge]'"
)
OPEN_TO_ALL = (
    "the server listens on {host}, so other machines can reach it, and links and texts travel "
    "unencrypted; put a server with TLS in front (nginx, Caddy) and let this one listen on "
    "127.0.0.1, or use an SSH tunnel: ssh -L {port}:127.0.0.1:{port} THIS-MACHINE"
)


@dataclass(frozen=True)
class Address:
    """Where the server listens; `public` is how judges reach it, if through another server."""

    host: str = "127.0.0.1"
    port: int = 8642
    public: str = ""

    @property
    def base(self) -> str:
        """The beginning of all links."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return self.public.rstrip("/") or f"http://{host}:{self.port}"

    @property
    def warning(self) -> str:
        """What to know when other machines can reach the server; "" when they cannot."""
        return "" if is_loopback(self.host) else OPEN_TO_ALL.format(host=self.host, port=self.port)


def check_installed() -> None:
    """Say how to install what the server needs, if it is not there."""
    try:
        import starlette  # noqa: F401, PLC0415 - an extra
        import uvicorn  # noqa: F401, PLC0415
    except ImportError:
        raise ConcordantError(EXTRA) from None


def bind(address: Address) -> tuple[socket.socket, Address]:
    """A listening socket, and the address with the port that it got."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address.host, address.port))
        listening.listen(1024)
    except OSError as fault:
        listening.close()
        raise ConcordantError(
            f"cannot listen on {address.host}:{address.port}: {fault.strerror}; choose another "
            "--port, or 0 for any that is free"
        ) from None
    return listening, Address(address.host, listening.getsockname()[1], address.public)


class CampaignServer:
    """Serves one campaign; it is open from the start until `run` returns."""

    def __init__(self, path: str | Path, address: Address) -> None:
        import uvicorn  # noqa: PLC0415 - an extra

        from concordant.judging.app import JudgingApp  # noqa: PLC0415 - needs the extra

        self.clerk = Clerk(path)
        app = JudgingApp(self.clerk).asgi(_hosts(address), address.public.rstrip("/"))
        # No access log: it would hold who did what, and grow for ever.
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, server_header=False, lifespan="off",
            ws="none", timeout_graceful_shutdown=5, proxy_headers=False,
        )  # fmt: skip
        self._server = uvicorn.Server(config)

    def run(self, listening: socket.socket) -> None:
        """Serve until `stop`, SIGINT or SIGTERM; then finish what waits, and close the campaign."""
        try:
            settings = self.clerk.desk.settings
            if settings.policy == "both" and settings.compares:
                threading.Thread(target=_learn, args=(self.clerk,), daemon=True).start()
            with suppress(KeyboardInterrupt):
                self._server.run(sockets=[listening])
        finally:
            self.clerk.close()

    def stop(self) -> None:
        """Have `run` return soon."""
        self._server.should_exit = True


def _hosts(address: Address) -> frozenset[str] | None:
    """The names that the server answers to: its own, and that of the server in front."""
    if not is_loopback(address.host):
        return None
    public = address.public.partition("://")[2].partition("/")[0].rpartition(":")
    name = public[0] if public[2].isdecimal() else "".join(public)
    return frozenset({"127.0.0.1", "localhost", "::1", address.host, *([name] if name else [])})


def _learn(clerk: Clerk) -> None:
    """Find out where metrics disagree, beside the server, from a connection of its own."""
    with closing(open_to_read(clerk.campaign.path)) as connection:
        texts = partial(segment_texts, connection)
        found = disagreement_of(clerk.campaign, clerk.desk.assigner.blocks, texts)

    def note(desk: Desk) -> None:
        desk.assigner.disagreement = found

    clerk.ask(note)
