"""Baskets of a shop; each starts from the defaults of its country."""

import copy
import os

from aiohttp import web

DEFAULTS = {
    country: {
        "currency": "EUR",
        "shipping": [{"carrier": f"c{i}", "zones": [[z, z * 1.5] for z in range(12)]} for i in range(10)],
        "taxes": {f"class-{i}": {"rate": i / 100, "since": 2019 + i % 5} for i in range(40)},
        "lines": [],
    }
    for country in ("de", "fr", "it", "es")
}
baskets = {}


def new_basket(country):
    return copy.deepcopy(DEFAULTS[country])


def price(basket):
    total = 0.0
    for line in basket["lines"]:
        tax = basket["taxes"][f"class-{line['class']}"]["rate"]
        total += line["price"] * line["count"] * (1 + tax)
    carriers = sorted(basket["shipping"], key=lambda one: one["zones"][3][1])
    return round(total + carriers[0]["zones"][3][1], 2)


async def add(request):
    number = int(request.match_info["number"])
    basket = new_basket(("de", "fr", "it", "es")[number % 4])
    for i in range(60):
        basket["lines"].append({"sku": i, "price": 1.5 * i, "count": 1 + number % 3, "class": i % 40})
    baskets[number % 500] = basket
    return web.json_response({"basket": number, "total": price(basket)})


app = web.Application()
app.add_routes([web.get("/baskets/{number}", add)])
web.run_app(app, host="127.0.0.1", port=int(os.environ["PORT"]), print=None)
