"""Manuals of machines, written in Markdown."""

import os

import markdown
from bottle import Bottle
from waitress import serve

app = Bottle()


def chapter(n):
    return f"## Chapter {n}\n\nTurn the *red* wheel {n} times, see [part {n}](#p{n}).\n\n- first\n- second with `code`\n\n"


manuals = ["".join(chapter(m + n) for n in range(25)) for m in range(12)]
readers = {}


def manual_page(number):
    return f"<main>{markdown.markdown(manuals[number % 12])}</main>"


def count_reader(number):
    readers[number % 1000] = readers.get(number % 1000, 0) + 1
    return sum(readers.values())


@app.get("/manuals/<number:int>")
def show(number):
    return f"{manual_page(number)}<footer>read {count_reader(number)} times</footer>"


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=1)
