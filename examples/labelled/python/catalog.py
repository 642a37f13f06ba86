"""The catalogue of a shop: the same document for every visitor."""

import json
import os

from flask import Flask, Response, request
from waitress import serve

app = Flask(__name__)

products = [
    {
        "sku": f"P{n:05d}",
        "title": f"Product number {n}",
        "tags": ["new", "sale", f"group-{n % 12}"],
        "price": {"amount": n * 1.25, "currency": "EUR"},
        "stock": {"berlin": n % 40, "lyon": n % 17},
    }
    for n in range(700)
]
visits = {}


def count_visit(visitor):
    visits[visitor] = visits.get(visitor, 0) + 1
    return visits[visitor]


def as_document():
    return json.dumps({"products": products, "count": len(products)}, indent=1, sort_keys=True)


@app.get("/catalog")
def catalog():
    visitor = request.args.get("visitor", "")
    number = count_visit(visitor)
    return Response(as_document(), mimetype="application/json", headers={"X-Visit": str(number)})


@app.get("/products/<sku>")
def product(sku):
    matches = [one for one in products if one["sku"] == sku]
    return matches[0] if matches else ({"error": "no such product"}, 404)


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
