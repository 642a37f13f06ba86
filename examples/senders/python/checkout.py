"""A small service that sends profiles with pyroscope-io. KEY, ADDRESS, APP and SECONDS come from the environment."""

import os
import time

import pyroscope

# Version 1.0 and later also profile memory.
options = {"mem_enabled": True} if os.environ.get("MEMORY") else {}
pyroscope.configure(
    application_name=os.environ.get("APP", "checkout"),
    server_address=os.environ.get("ADDRESS", "http://localhost:4040"),
    http_headers={"X-API-Key": os.environ["KEY"]},
    tags={"region": "eu", "version": "1.2.3"},
    **options,
)


def hash_prices(count):
    total = 0
    for price in range(count):
        total = (total * 31 + price) & 0xFFFFFFFF
    return total


end = time.time() + float(os.environ.get("SECONDS", "12"))
carts = []
while time.time() < end:
    hash_prices(50_000)
    with pyroscope.tag_wrapper({"handler": "/checkout"}):
        hash_prices(100_000)
    carts.append(["book"] * 1000)
    time.sleep(0.02)
pyroscope.shutdown()
