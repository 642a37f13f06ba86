"""Statements of accounts in the language of the customer."""

import os
from datetime import date, timedelta

from babel.dates import format_date
from babel.numbers import format_currency
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
bookings = [(date(2026, 1, 1) + timedelta(days=n % 300), ((n * 7907) % 90_000) / 100 - 300) for n in range(1500)]


def line(day, amount, locale):
    return f"{format_date(day, 'EEE dd MMM', locale=locale)} {format_currency(amount, 'EUR', locale=locale)}"


def balances(rows):
    balance = 0.0
    result = []
    for _, amount in rows:
        balance += amount
        result.append(round(balance, 2))
    return result


@app.get("/statements/<int:number>")
def statement(number):
    rows = bookings[(number * 13) % 1400 :][:50]
    locale = ["de_DE", "fr_FR", "en_GB"][number % 3]
    return jsonify(lines=[line(day, amount, locale) for day, amount in rows], balances=balances(rows))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
