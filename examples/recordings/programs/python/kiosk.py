"""Sends CPU and memory profiles with Pyroscope's SDK for Python."""

import os
import time

import pyroscope

pyroscope.configure(
    application_name="kiosk",
    server_address=os.environ["ADDRESS"],
    tags={"region": "eu", "version": "1.2.3"},
    mem_enabled=True,
)
papers = []


def count_words(text):
    return sum(len(word) for word in text.split())


def sell():
    with pyroscope.tag_wrapper({"item": "paper"}):
        return sum(count_words("extra extra read all about it") for _ in range(20_000))


while True:
    sell()
    papers.append(["page"] * 1000)
    time.sleep(0.02)
