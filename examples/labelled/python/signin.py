"""Devices report their state; each request carries the secret of its device."""

import hashlib
import hmac
import json
import os

import falcon
from waitress import serve

SALT = b"devices-of-the-house"
ITERATIONS = 12_000


def digest(secret):
    return hashlib.pbkdf2_hmac("sha256", secret.encode(), SALT, ITERATIONS)


devices = {f"d{n}": digest(f"secret-{n}") for n in range(20)}
states = {}


class SecretCheck:
    def process_request(self, req, resp):
        device = req.get_param("device", default="")
        if not hmac.compare_digest(devices.get(device, b""), digest(req.get_param("secret", default=""))):
            raise falcon.HTTPUnauthorized()


class States:
    def on_get(self, req, resp, number):
        device = req.get_param("device")
        history = states.setdefault(device, [])
        history.append({"number": number, "level": number % 100})
        del history[:-200]
        levels = [one["level"] for one in history]
        mean = sum(levels) / len(levels)
        spread = sum((level - mean) ** 2 for level in levels) / len(levels)
        resp.text = json.dumps({"mean": mean, "spread": spread, "last": history[-20:]})


app = falcon.App(middleware=[SecretCheck()])
app.add_route("/states/{number:int}", States())
serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
