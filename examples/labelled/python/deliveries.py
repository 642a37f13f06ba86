"""Deliveries of the day with the customer of each."""

import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
customers = [{"id": f"C{(n * 7919) % 1500}", "street": f"street {n}", "floor": n % 6} for n in range(1500)]
deliveries = [[{"customer": f"C{(d * 37 + n * 11) % 1500}", "parcels": 1 + n % 4} for n in range(60)] for d in range(30)]


def with_customers(day):
    return [
        {**delivery, "to": next(each for each in customers if each["id"] == delivery["customer"])}
        for delivery in day
    ]


def stairs(tour):
    return sum(stop["parcels"] * stop["to"]["floor"] for stop in tour)


@app.get("/deliveries/<int:number>")
def show(number):
    tour = with_customers(deliveries[number % 30])
    return jsonify(tour=tour, stairs=stairs(tour))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
