"""Stores blocks of backups once each."""

import hashlib
import os
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

blocks = {}
sources = [os.urandom(3000) * 20 + bytes(20_000) for _ in range(40)]


def keep(block):
    name = hashlib.sha256(block).hexdigest()
    if name not in blocks:
        blocks[name] = zlib.compress(block, 1)
    return name


def keep_file(content):
    return [keep(content[at : at + 16_384]) for at in range(0, len(content), 16_384)]


class Backups(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        number = int(self.path.rsplit("/", 1)[1])
        content = number.to_bytes(8, "big") + sources[number % 40]
        names = keep_file(content)
        while len(blocks) > 2000:
            blocks.pop(next(iter(blocks)))
        body = "\n".join(names).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Backups).serve_forever()
