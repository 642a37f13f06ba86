"""Quotes for freight: weight and distance of a shipment make its price."""

import os
import re

from flask import Flask, jsonify, request
from waitress import serve

app = Flask(__name__)

ZONES = {f"Z{n:03d}": 1.0 + n / 90 for n in range(300)}
RULES = [(f"^(Z{n:03d}|Q{n})-(\\d+)([a-z]*)$", 0.5 + n / 40) for n in range(700)]


def rate_for(code):
    for expression, rate in RULES:
        pattern = re.compile(expression, re.IGNORECASE)
        found = pattern.match(code)
        if found:
            return rate * int(found.group(2))
    return 1.0


def surcharge(lines):
    heavy = [line for line in lines if line["kg"] > 30]
    return sum(line["kg"] * 0.02 for line in heavy) + len(lines) * 0.4


@app.get("/quotes/<int:number>")
def quote(number):
    lines = [{"zone": f"Z{(number * 7 + i) % 300:03d}", "kg": (number + i * 13) % 60} for i in range(8)]
    price = 0.0
    for line in lines:
        price += rate_for(f"{line['zone']}-{line['kg']}a") * ZONES[line["zone"]]
    return jsonify(number=number, price=round(price + surcharge(lines), 2), lines=lines)


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=4)
