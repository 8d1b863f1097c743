"""HTTP on loopback, for models of our own: every POST is JSON and goes to `answer`, whose bytes go back."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Served:
    """The server. `answer(path, asked)` gives the type and the bytes of an answer, None where there is no such thing; it may be
    called by several threads.
    """

    listing = b"{}"  # what is answered to GET

    def __init__(self) -> None:
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_given: object) -> None:
                """Nothing on stderr."""

            def do_GET(self) -> None:
                # A host that would rather speak over a socket is told that there is none.
                self._send("application/json", served.listing, 404 if self.headers.get("upgrade") else 200)

            do_HEAD = do_GET  # noqa: N815

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                told = served.answer(self.path, asked)
                self._send(*told) if told else self._send("application/json", b"{}", 404)

            def _send(self, kind: str, data: bytes, code: int = 200) -> None:
                self.send_response(code)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes] | None:
        """The type and the bytes of an answer."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()
