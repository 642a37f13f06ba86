"""Season tickets: each request shows signed passes."""

import os

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from flask import Flask, jsonify
from waitress import serve

app = Flask(__name__)
key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
pem = key.private_bytes(
    serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
)
zones = {n: [n + i for i in range(40)] for n in range(200)}


def signed(text):
    own = serialization.load_pem_private_key(pem, password=None)
    return own.sign(text.encode(), padding.PKCS1v15(), hashes.SHA256()).hex()


def stops_of(wanted):
    return sorted(stop for zone in wanted for stop in zones[zone])


@app.get("/passes/<int:number>")
def show(number):
    return jsonify(passes=[signed(f"{number}:{i}") for i in range(3)], stops=stops_of([number % 200, 7]))


serve(app, host="127.0.0.1", port=int(os.environ["PORT"]))
