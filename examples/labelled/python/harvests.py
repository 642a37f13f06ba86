"""Harvests of farms, collected into one table."""

import os

import pandas as pd
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
farms = [{"farm": f"farm {n}", "crop": ["rye", "oat", "corn"][n % 3], "tons": n % 40} for n in range(600)]


def collected(rows):
    table = pd.DataFrame(columns=["farm", "crop", "tons"])
    for row in rows:
        table = pd.concat([table, pd.DataFrame([row])], ignore_index=True)
    return table


def by_crop(table):
    return {crop: int(tons) for crop, tons in table.groupby("crop")["tons"].sum().items()}


@app.get("/harvests/<int:number>")
def show(number):
    table = collected(farms[number % 500 :][:40])
    return jsonify(by_crop=by_crop(table), farms=len(table))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
