"""Orders of customers, each page with one query."""

import os
import sqlite3

import falcon
from waitress import serve

db = sqlite3.connect(":memory:", check_same_thread=False)
db.execute("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT)")
db.execute("CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER, day INTEGER, cents INTEGER)")
db.execute("CREATE INDEX of_customer ON purchase (customer, day)")
db.executemany("INSERT INTO customer VALUES (?, ?)", [(n, f"customer {n}") for n in range(300)])
db.executemany("INSERT INTO purchase VALUES (?, ?, ?, ?)", [(n, n % 300, n % 365, n * 7 % 9000) for n in range(60_000)])
db.commit()

PAGE = """
    SELECT c.name, p.day, count(*), sum(p.cents), max(p.cents) FROM purchase p JOIN customer c ON c.id = p.customer
    WHERE p.customer BETWEEN ? AND ? GROUP BY c.id, p.day ORDER BY c.id, p.day
"""


def page(first):
    rows = db.execute(PAGE, (first, first + 9)).fetchall()
    return [dict(zip(("name", "day", "orders", "cents", "largest"), row)) for row in rows]


class Orders:
    def on_get(self, req, resp, number):
        rows = page(number % 290)
        resp.media = {"rows": rows, "cents": sum(row["cents"] for row in rows)}


app = falcon.App()
app.add_route("/orders/{number:int}", Orders())
serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=1)
