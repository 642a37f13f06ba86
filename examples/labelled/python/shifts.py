"""Shifts of a hospital; the plan comes with times as texts."""

import json
import os
from datetime import datetime

import pytz
import tornado.ioloop
import tornado.web

wards = ["Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney"]
plan = [(f"nurse {n}", wards[n % 4], f"2026-0{1 + n % 9}-1{n % 9} 0{n % 9}:30:00") for n in range(400)]


def begins(text, ward):
    local = pytz.timezone(ward).localize(datetime.strptime(text, "%Y-%m-%d %H:%M:%S"))
    return local.astimezone(pytz.utc).strftime("%a %d %b %H:%M")


def people_by_ward(shifts):
    people = {}
    for name, ward, _ in shifts:
        people.setdefault(ward, []).append(name)
    return {ward: sorted(names)[:3] for ward, names in people.items()}


class Shifts(tornado.web.RequestHandler):
    def get(self, number):
        shifts = plan[int(number) % 300 :][:80]
        times = [begins(text, ward) for _, ward, text in shifts]
        self.write(json.dumps({"begins": times, "people": people_by_ward(shifts)}))


tornado.web.Application([(r"/shifts/(\d+)", Shifts)]).listen(int(os.environ["PORT"]), "127.0.0.1")
tornado.ioloop.IOLoop.current().start()
