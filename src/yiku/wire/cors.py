"""Which web pages may call this server from a browser?"""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.types import Receive, Scope, Send


class Cors(CORSMiddleware):
    """Starlette's, but for refused questions: those go on to the door, which refuses them in its own shape."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._refuses(scope):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    def _refuses(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        asks = scope["method"] == "OPTIONS" and "origin" in headers and "access-control-request-method" in headers
        return asks and self.preflight_response(request_headers=headers).status_code != 200
