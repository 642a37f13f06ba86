"""Reports of sales by region."""

import os

import numpy as np
import pandas as pd
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
rng = np.random.default_rng(3)
sales = pd.DataFrame(
    {
        "region": rng.integers(0, 12, 4000),
        "units": rng.integers(1, 30, 4000),
        "price": rng.random(4000) * 40,
        "discount": rng.random(4000) / 5,
    }
)


def revenue(frame):
    total = 0.0
    for _, row in frame.iterrows():
        total += row["units"] * row["price"] * (1 - row["discount"])
    return total


def largest(frame):
    return frame.nlargest(5, "units")["price"].round(2).tolist()


@app.get("/reports/<int:number>")
def report(number):
    frame = sales[sales["region"] == number % 12]
    return jsonify(region=number % 12, revenue=round(revenue(frame), 2), largest=largest(frame))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=2)
