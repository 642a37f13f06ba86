"""Prices of calls; operators edit the tariffs in YAML."""

import os
import tempfile

import yaml
from bottle import Bottle
from waitress import serve

app = Bottle()
path = f"{tempfile.mkdtemp()}/tariffs.yaml"
with open(path, "w") as file:
    yaml.safe_dump({"tariffs": [{"prefix": str(100 + n), "cents": n % 40, "free": n % 3} for n in range(60)]}, file)


def load_tariffs():
    with open(path) as file:
        return yaml.safe_load(file)["tariffs"]


def cost(number, seconds, tariffs):
    for tariff in tariffs:
        if number.startswith(tariff["prefix"]):
            return max(0, seconds // 60 - tariff["free"]) * tariff["cents"]
    return seconds // 60 * 25


@app.get("/calls/<number:int>")
def call(number):
    tariffs = load_tariffs()
    costs = [cost(f"{100 + (number + i) % 90}5550{i}", i * 40, tariffs) for i in range(200)]
    return {"calls": len(costs), "cents": sum(costs)}


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
