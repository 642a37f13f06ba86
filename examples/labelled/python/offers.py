"""Scores offers for a customer; a pool of threads shares the work."""

import os
from concurrent.futures import ThreadPoolExecutor

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
pool = ThreadPoolExecutor(max_workers=8)
offers = [[(n * 31 + i * 17) % 97 / 97 for i in range(250)] for n in range(60)]


def score(offer, customer):
    total = 0.0
    for i, weight in enumerate(offer):
        wish = customer[i % len(customer)]
        total += weight * wish - (weight - wish) ** 2 / 2
    return total


def score_all(customer):
    futures = [pool.submit(score, offer, customer) for offer in offers]
    return [future.result() for future in futures]


@app.get("/offers/<int:number>")
def best(number):
    customer = [(number * 13 + i) % 29 / 29 for i in range(40)]
    scores = score_all(customer)
    order = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)
    return jsonify(customer=number, best=order[:10])


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=4)
