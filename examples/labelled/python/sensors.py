"""Readings of sensors, with settings that fall back to defaults."""

import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)


class Settings:
    def __init__(self, own, parent=None):
        self._own = own
        self._parent = parent

    def __getattr__(self, name):
        own = self.__dict__["_own"]
        if name in own:
            return own[name]
        if self.__dict__["_parent"] is None:
            raise AttributeError(name)
        return getattr(self.__dict__["_parent"], name)


defaults = Settings({"offset": 0.5, "scale": 1.02, "low": 3, "high": 60})
settings = Settings({"room": 4}, Settings({"floor": 2}, Settings({"unit": "C"}, defaults)))
readings = [((n * 37) % 600) / 10 for n in range(1500)]


def corrected(values):
    result = []
    for value in values:
        fixed = (value + settings.offset) * settings.scale
        result.append(min(max(fixed, settings.low), settings.high))
    return result


def by_room(values):
    rooms = [0.0] * 20
    for i, value in enumerate(values):
        rooms[i % 20] += value
    return rooms


@app.get("/sensors/<int:number>")
def show(number):
    values = readings[number % 100 :]
    return jsonify(sum=sum(corrected(values)), rooms=by_room(values))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
