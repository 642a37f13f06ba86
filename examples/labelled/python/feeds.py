"""Feeds of events, in the text form of an old client."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

events = [{"id": n, "kind": ("open", "close", "move")[n % 3], "at": 1_760_000_000 + n * 5} for n in range(4000)]


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;")


def as_feed(selected):
    body = b""
    for event in selected:
        body += f"<event id='{event['id']}' at='{event['at']}'>{escaped(event['kind'])}</event>\n".encode()
        body = body + b"<!-- end -->\n"
    return body


class Feeds(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[1])
        first = number * 17 % 1500
        body = as_feed(events[first : first + 2500])
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Feeds).serve_forever()
