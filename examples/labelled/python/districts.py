"""The district of a place. The map of all districts is a text, as it came from the office."""

import json
import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)


def shape(n):
    return {"name": f"district {n}", "code": n, "border": [[n + i / 50, n - i / 70] for i in range(40)]}


map_text = json.dumps({"features": [shape(n) for n in range(120)]})
asked = {}


def district_at(x):
    features = json.loads(map_text)["features"]
    return next((each["name"] for each in features if any(abs(east - x) < 0.01 for east, _ in each["border"])), None)


def nearby(x):
    asked[x] = asked.get(x, 0) + 1
    return sorted(((count, other) for other, count in asked.items() if abs(other - x) < 5), reverse=True)[:10]


@app.get("/districts/<int:number>")
def show(number):
    return jsonify(district=district_at(number % 120), nearby=nearby(number % 120))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
