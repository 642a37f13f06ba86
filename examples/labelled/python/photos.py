"""The average colour of parts of photos."""

import os

import numpy as np
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
side = 90
photos = [(np.arange(side * side * 3).reshape(side, side, 3) * (p + 7) % 256).astype(np.uint8) for p in range(5)]


def average(photo):
    sums = [0, 0, 0]
    for y in range(photo.shape[0]):
        for x in range(photo.shape[1]):
            for colour in range(3):
                sums[colour] += int(photo[y, x, colour])
    return [value // (photo.shape[0] * photo.shape[1]) for value in sums]


def histogram(photo):
    counts, _ = np.histogram(photo, bins=16, range=(0, 256))
    return [int(count) for count in counts]


@app.get("/photos/<int:number>")
def show(number):
    photo = photos[number % 5]
    return jsonify(average=average(photo), histogram=histogram(photo))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
