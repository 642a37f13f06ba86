"""Bills of customers. SLOW names a regression that is switched on."""

import copy
import json
import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
SLOW = os.environ.get("SLOW", "")
TARIFF = {"steps": [{"from": n * 10, "cents": 40 - n} for n in range(30)], "extras": {f"e{n}": n for n in range(60)}}
CLOSED = [f"m{n}" for n in range(0, 4000, 12)]
CLOSED_SET = frozenset(CLOSED)


def tariff_for(customer):
    if SLOW == "copy":
        tariff = copy.deepcopy(TARIFF)
    else:
        tariff = dict(TARIFF)
    tariff["customer"] = customer
    return tariff


def is_closed(meter):
    if SLOW == "list":
        return meter in CLOSED
    return meter in CLOSED_SET


def cents(units, tariff):
    step = next(one for one in reversed(tariff["steps"]) if one["from"] <= units)
    return units * step["cents"] + tariff["extras"][f"e{units % 60}"]


def bill(number):
    lines = []
    for i in range(30):
        meter = f"m{(number * 31 + i * 7) % 4000}"
        if not is_closed(meter):
            lines.append({"meter": meter, "cents": cents((number + i * 11) % 290, tariff_for(number))})
    return {"customer": number, "lines": lines, "size": len(json.dumps(lines))}


@app.get("/orders/<int:number>")
def bills(number):
    return jsonify([bill(number + i) for i in range(20)])


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
