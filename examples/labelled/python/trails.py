"""In how many ways a hiker can cross a grid of huts."""

import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
closed = {(n * 5 % 9, n * 7 % 9) for n in range(12)}


def ways(x, y):
    if x == 0 and y == 0:
        return 1
    if x < 0 or y < 0:
        return 0
    return ways(x - 1, y) + ways(x, y - 1)


def open_huts(size):
    return [(x, y) for x in range(size) for y in range(size) if (x, y) not in closed]


@app.get("/trails/<int:number>")
def trail(number):
    return jsonify(ways=ways(5 + number % 3, 6), huts=open_huts(9))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
