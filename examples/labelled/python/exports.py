"""Exports of measurements as compressed CSV."""

import csv
import gzip
import io
import os
import random

from aiohttp import web

random.seed(7)
series = {
    s: [(1_760_000_000 + i * 60, round(random.gauss(20, 4), 3), round(random.random() * 900, 1)) for i in range(1500)]
    for s in range(20)
}


def rows_of(number):
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["time", "temperature", "light"])
    for time, temperature, light in series[number % 20]:
        writer.writerow([time, temperature, light])
    return out.getvalue().encode()


def packed(body):
    return gzip.compress(body, compresslevel=9)


async def export(request):
    body = packed(rows_of(int(request.match_info["number"])))
    return web.Response(body=body, headers={"Content-Encoding": "gzip", "Content-Type": "text/csv"})


app = web.Application()
app.add_routes([web.get("/exports/{number}", export)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
