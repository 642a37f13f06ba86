"""Price lists, with an ETag for caches."""

import hashlib
import json
import os
import pickle

import falcon
from waitress import serve

lists = [{f"article {n}": [n * 13 % 700, l, "EUR"] for n in range(6000)} for l in range(8)]


def etag_of(prices):
    return hashlib.sha256(pickle.dumps(prices)).hexdigest()


def page_of(prices, number):
    return [(name, prices[name][0]) for name in (f"article {(number * 7 + i) % 6000}" for i in range(80))]


class Prices:
    def on_get(self, _request, response, number):
        prices = lists[number % 8]
        response.set_header("ETag", f'"{etag_of(prices)}"')
        response.text = json.dumps(page_of(prices, number))


app = falcon.App()
app.add_route("/prices/{number:int}", Prices())
serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
