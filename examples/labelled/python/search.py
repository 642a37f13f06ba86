"""Full-text search over articles, with an index in memory."""

import math
import os
import random
from collections import defaultdict

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
random.seed(5)
vocabulary = [f"word{n}" for n in range(800)]
articles = [random.choices(vocabulary, k=120) for _ in range(1500)]
index = defaultdict(dict)
for number, words in enumerate(articles):
    for word in words:
        index[word][number] = index[word].get(number, 0) + 1


def scores(words):
    result = defaultdict(float)
    for word in words:
        found = index[word]
        weight = math.log(len(articles) / (1 + len(found)))
        for article, count in found.items():
            result[article] += weight * count / (count + 1.2)
    return result


def best(found, count):
    return sorted(found.items(), key=lambda entry: -entry[1])[:count]


@app.get("/search/<int:number>")
def search(number):
    words = [vocabulary[(number * 13 + i * 7) % 800] for i in range(6)]
    found = scores(words)
    return jsonify(query=words, hits=len(found), best=best(found, 10))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
