"""Trips of rented bicycles, summed by hour."""

import asyncio
import json
import os
from collections import defaultdict

import tornado.web
from dateutil import parser

trips = [
    {"bike": n % 90, "start": f"2026-03-{1 + n % 28:02d} {n % 24:02d}:{n % 60:02d}:00", "metres": 300 + n * 7 % 5000}
    for n in range(6000)
]


def hour_of(trip):
    return parser.parse(trip["start"]).hour


def by_hour(selected):
    sums = defaultdict(lambda: {"trips": 0, "metres": 0})
    for trip in selected:
        entry = sums[hour_of(trip)]
        entry["trips"] += 1
        entry["metres"] += trip["metres"]
    return dict(sums)


def calories(selected):
    return sum(trip["metres"] / 1000 * 23.5 for trip in selected)


class Summary(tornado.web.RequestHandler):
    def get(self, number):
        first = int(number) * 31 % 5800
        selected = trips[first : first + 150]
        self.write(json.dumps({"hours": by_hour(selected), "calories": calories(selected)}))


async def main():
    tornado.web.Application([(r"/trips/(\d+)", Summary)]).listen(int(os.environ["PORT"]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
