"""Who of a mailing's addresses may be written to."""

import hashlib
import os

from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
unsubscribed = [f"person{n * 3}@example.org" for n in range(2500)]
segments = {s: [f"person{n}@example.org" for n in range(s * 50, s * 50 + 400)] for s in range(40)}


def allowed(addresses):
    result = []
    for address in addresses:
        if address.lower() not in unsubscribed:
            result.append(address)
    return result


def batches(addresses):
    buckets = {}
    for address in addresses:
        key = hashlib.sha1(address.encode()).hexdigest()[:1]
        buckets.setdefault(key, []).append(address)
    return [{"bucket": key, "count": len(of), "first": of[0]} for key, of in sorted(buckets.items())]


@app.get("/mailings/<int:number>")
def mailing(number):
    addresses = allowed(segments[number % 40])
    return jsonify(mailing=number, recipients=len(addresses), batches=batches(addresses))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
