"""Books payments to accounts."""

import logging
import os

from flask import Flask, jsonify
from waitress import serve

logging.basicConfig(
    filename="/dev/null",
    level=logging.INFO,
    format="%(asctime)s %(levelname)s %(name)s %(threadName)s %(funcName)s:%(lineno)d %(message)s",
)
log = logging.getLogger("ledger")
app = Flask(__name__)
accounts = {n: 0.0 for n in range(300)}


def book(account, amount):
    before = accounts[account]
    accounts[account] = round(before + amount, 2)
    log.info("booked %s on account %d: %s before, %s after", amount, account, before, accounts[account])


def interest():
    return {n: round(balance * 0.0001, 4) for n, balance in accounts.items() if balance > 10}


@app.get("/payments/<int:number>")
def pay(number):
    for i in range(120):
        book((number + i * 7) % 300, (number + i) % 50 / 4)
    rates = interest()
    return jsonify(payment=number, interest=round(sum(rates.values()), 4), accounts=len(rates))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
