"""Accepts bookings that match a schema."""

import os

import jsonschema
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["guest", "nights", "room"],
    "properties": {
        "guest": {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}},
        "nights": {"type": "integer", "minimum": 1},
        "room": {"enum": ["single", "double"]},
        "extras": {"type": "array", "items": {"type": "object", "properties": {"kind": {"type": "string"}}}},
    },
}
bookings = []


def accept(booking):
    jsonschema.validate(booking, SCHEMA)
    bookings.append(booking)
    del bookings[:-1000]


def occupancy():
    nights = {}
    for booking in bookings:
        nights[booking["room"]] = nights.get(booking["room"], 0) + booking["nights"]
    return nights


@app.get("/bookings/<int:number>")
def book(number):
    extras = [{"kind": f"extra {i}"} for i in range(number % 5)]
    accept({"guest": {"name": "Ann", "age": 40}, "nights": 1 + number % 9, "room": "double", "extras": extras})
    return jsonify(booked=number, occupancy=occupancy())


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
