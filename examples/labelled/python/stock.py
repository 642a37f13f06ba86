"""Stock of warehouses in SQLite."""

import os
import sqlite3

from bottle import Bottle
from waitress import serve

app = Bottle()
db = sqlite3.connect(":memory:", check_same_thread=False)
db.execute("CREATE TABLE warehouse (id INTEGER PRIMARY KEY, city TEXT)")
db.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, warehouse INTEGER, sku TEXT, count INTEGER)")
db.execute("CREATE TABLE supplier (id INTEGER PRIMARY KEY, name TEXT, days INTEGER)")
db.executemany("INSERT INTO warehouse VALUES (?, ?)", [(n, f"city {n}") for n in range(40)])
db.executemany("INSERT INTO item VALUES (?, ?, ?, ?)", [(n, n % 40, f"S{n % 300}", n % 23) for n in range(8000)])
db.executemany("INSERT INTO supplier VALUES (?, ?, ?)", [(n, f"supplier {n}", n % 9) for n in range(300)])
db.commit()


def supplier_of(sku):
    row = db.execute("SELECT name, days FROM supplier WHERE id = ?", (int(sku[1:]),)).fetchone()
    return {"name": row[0], "days": row[1]}


def low_items(warehouse):
    rows = db.execute(
        "SELECT sku, count FROM item WHERE warehouse = ? AND count < 18", (warehouse,)
    ).fetchall()
    return [{"sku": sku, "count": count, "supplier": supplier_of(sku)} for sku, count in rows]


def by_delay(items):
    days = {}
    for item in items:
        days.setdefault(item["supplier"]["days"], []).append(item["sku"])
    return {str(day): sorted(skus) for day, skus in sorted(days.items())}


@app.get("/warehouses/<number:int>/low")
def low(number):
    items = low_items(number % 40)
    return {"items": items, "by_delay": by_delay(items)}


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]), threads=1)
