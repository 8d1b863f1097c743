"""HTTP on loopback, for models of our own: every POST is JSON and goes to `answer`, whose bytes go back."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Served:
    """The server. `answer(path, asked)` gives the type and the bytes of an answer; it may be called by several threads."""

    def __init__(self) -> None:
        served = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_given: object) -> None:
                """Nothing on stderr."""

            def do_GET(self) -> None:
                self._send("application/json", b"{}")

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                self._send(*served.answer(self.path, asked))

            def _send(self, kind: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path: str, asked: dict[str, Any]) -> tuple[str, bytes]:
        """The type and the bytes of an answer."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop listening."""
        self.server.shutdown()
        self.server.server_close()
