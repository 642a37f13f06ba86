"""Counts how far a ferry gets on a map of islands."""

import os

from bottle import Bottle
from waitress import serve

app = Bottle()
ways = {n: [(n * 3 + 1) % 20_000, (n * 7 + 2) % 20_000, (n + 1) % 20_000] for n in range(20_000)}


def reached(start):
    queue = [start]
    seen = {start}
    while queue:
        place = queue.pop(0)
        for near in ways[place]:
            if near not in seen:
                seen.add(near)
                queue.insert(len(queue) // 2, near)
    return len(seen)


def names(count):
    return ", ".join(f"island {n}" for n in range(count))


@app.get("/ferries/<number:int>")
def show(number):
    return {"reached": reached(number % 20_000), "names": names(200)}


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=1)
