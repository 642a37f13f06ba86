"""Imports price lists of suppliers as CSV."""

import csv
import io
import os
from dataclasses import dataclass

from bottle import Bottle
from waitress import serve

app = Bottle()


@dataclass(slots=True)
class Price:
    sku: str
    cents: int
    minimum: int


def listing(number):
    lines = [f"S{(number + i) % 5000},{(i * 37 + number) % 90_000},{1 + i % 12},a longer note about {i}" for i in range(1200)]
    return "sku,cents,minimum,note\n" + "\n".join(lines)


lists = [listing(number) for number in range(20)]
prices = {}


def read_prices(text):
    for row in csv.DictReader(io.StringIO(text)):
        yield Price(row["sku"], int(row["cents"]), int(row["minimum"]))


def merge(read):
    lowered = 0
    for price in read:
        before = prices.get(price.sku)
        if before is not None and price.cents < before.cents:
            lowered += 1
        prices[price.sku] = price
    return lowered


@app.get("/imports/<number:int>")
def load(number):
    lowered = merge(read_prices(lists[number % 20]))
    return {"prices": len(prices), "lowered": lowered}


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
