"""Transfers between accounts, with an audit trail."""

import inspect
import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
accounts = [100_000] * 500
trail = []


def audit(text):
    caller = inspect.stack()[1]
    trail.append(f"{caller.function}:{caller.lineno}: {text}")
    del trail[:-1000]


def transfer(source, target, cents):
    accounts[source] -= cents
    accounts[target] += cents
    audit(f"{cents} from {source} to {target}")


@app.get("/transfers/<int:number>")
def transfers(number):
    for i in range(4):
        transfer((number + i) % 500, (number * 3 + i) % 500, i)
    return jsonify(richest=sorted(accounts, reverse=True)[:5], audited=len(trail))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
