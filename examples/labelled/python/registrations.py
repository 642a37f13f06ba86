"""Registrations of cars: checks what owners typed."""

import os
import re

from bottle import Bottle
from waitress import serve

app = Bottle()
typed = [{"owner": f"{'long owner ' * (1 + n % 2)}{n}!", "year": 1990 + n % 30} for n in range(40)]
words = re.compile(r"^(\w+\s?)+$")


def is_name(text):
    return words.match(text[:18]) is not None


def ages(cars):
    counts = [0] * 60
    for car in cars:
        counts[2026 - car["year"]] += 1
    return counts


@app.get("/registrations/<number:int>")
def show(number):
    cars = typed[number % 30 :][:4]
    return {"wrong": sum(not is_name(car["owner"]) for car in cars), "ages": ages(cars)}


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=1)
