"""Carts of a grocer; answers are plain dictionaries."""

import os
from dataclasses import asdict, dataclass, field

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)


@dataclass
class Article:
    sku: str
    cents: int
    tags: list = field(default_factory=list)


@dataclass
class Line:
    article: Article
    count: int


goods = [Article(f"G{n}", 50 + (n * 31) % 900, [f"t{i}" for i in range(6)]) for n in range(300)]


def filled(number):
    return [Line(goods[(number + i * 7) % 300], 1 + i % 3) for i in range(60)]


def plain(lines):
    return [asdict(line) for line in lines]


def total(lines):
    return sum(line.article.cents * line.count for line in lines)


@app.get("/carts/<int:number>")
def cart(number):
    lines = filled(number)
    return jsonify(lines=[{"sku": each["article"]["sku"], "count": each["count"]} for each in plain(lines)], cents=total(lines))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
