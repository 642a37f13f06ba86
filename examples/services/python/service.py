"""A small shop that sends profiles with pyroscope-io, and HTTP metrics. run.sh starts it."""

import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.request import Request, urlopen

import pyroscope

server = os.environ["FLAMEKEEP_URL"]
key = {"X-API-Key": os.environ["FLAMEKEEP_KEY"]}
pyroscope.configure(
    application_name="checkout-python",
    server_address=server,
    http_headers=key,
    tags={"region": "eu", "version": "1.0.0", "instance": os.uname().nodename},
    mem_enabled=True,
)
requests = []


def hash_prices(count):
    total = 0
    for price in range(count):
        total = (total * 31 + price) & 0xFFFFFFFF
    return total


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        begin = time.time()
        with pyroscope.tag_wrapper({"handler": "/orders/{id}"}):
            total = hash_prices(100_000)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{total}\n".encode())
        request = {"timestamp": int(begin * 1000), "duration": time.time() - begin, "status_code": 200}
        requests.append(request | {"method": "GET", "path": "/orders/{id}"})

    def log_message(self, *_):
        pass


def send_requests():
    while True:
        time.sleep(5)
        batch = requests.copy()
        del requests[: len(batch)]
        if batch:
            url = f"{server}/api/v1/ingest/http-metrics?service=checkout-python"
            headers = key | {"Content-Type": "application/json"}
            urlopen(Request(url, json.dumps(batch).encode(), headers)).close()


threading.Thread(target=send_requests, daemon=True).start()
ThreadingHTTPServer(("localhost", int(os.environ["PORT"])), Shop).serve_forever()
